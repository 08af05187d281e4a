import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { publicApprovals, type ApprovalsModuleOptions } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { CLIENTS, closeClients, connect, type User, type UserAnswer } from './support/clients.js';
import { allApprovals, as, decide, paid, serveRefunds } from './support/refunds.js';

const REQUESTER_DECIDES: Partial<ApprovalsModuleOptions> = { mayRequesterDecide: true };

/** A user who always says the same, and what they were shown. */
function userWho(answer: UserAnswer): User & { readonly shown: string[] } {
  const shown: string[] = [];
  const user = (message: string): UserAnswer => {
    shown.push(message);
    return answer;
  };
  return Object.assign(user, { shown });
}

describe.each(PLATFORMS)('a gated tool whose caller may decide, over MCP on %s', (platform) => {
  beforeEach(() => void (paid.length = 0));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it('runs once when the person at the client accepts what they are shown', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const user = userWho('accept');
      const client = await connect(kind, url, as('ada'), user);
      expect(await client.call('orders__refund', { amount: 5, note: 'x\u202ey' })).toMatchObject({
        isError: false,
        text: '{"refunded":5}',
        structured: { refunded: 5 },
      });
      expect(user.shown).toEqual([
        'orders.refund needs your approval: pays money back\n' +
          'It would run with these arguments: {"amount":5,"note":"x\\u202ey"}',
      ]);
      expect(paid).toEqual([5]);
      const [approval, ...more] = await allApprovals(app);
      expect(approval).toMatchObject({ state: 'approved', votes: [{ by: { subject: 'ada' }, verdict: 'approve' }] });
      expect(more).toEqual([]);
    });

    it('is asked about for each call', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const user = userWho('accept');
      const client = await connect(kind, url, as('ada'), user);
      for (let count = 0; count < 2; count++) await client.call('orders__refund', { amount: 5 });
      expect([paid, user.shown.length, (await allApprovals(app)).length]).toEqual([[5, 5], 2, 2]);
    });

    it('is denied when they decline, and the model is told so', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const user = userWho('decline');
      const client = await connect(kind, url, as('ada'), user);
      expect(await client.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_denied' });
      expect(await client.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_denied' });
      expect([paid, user.shown.length]).toEqual([[], 1]);
      expect(await allApprovals(app)).toMatchObject([{ state: 'denied', votes: [{ by: { subject: 'ada' } }] }]);
    });

    it('goes on waiting when they dismiss the question, for whoever else may decide', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const client = await connect(kind, url, as('ada'), userWho('cancel'));
      const { code, text } = await client.call('orders__refund', { amount: 5 });
      expect(paid).toEqual([]);
      const approvalId = await decide(app, 'approve');
      expect({ code, isTold: text.includes(approvalId) }).toEqual({ code: 'approval_required', isTold: true });
      expect(await client.call('orders__refund', { amount: 5 })).toMatchObject({ text: '{"refunded":5}' });
      expect(paid).toEqual([5]);
    });

    it('is asked about for the very call, where several wait in one session', async () => {
      const { url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const user: User = async (message) => {
        await new Promise((resolve) => setTimeout(resolve, message.includes('"amount":1}') ? 150 : 10));
        return message.includes('"amount":2}') ? 'decline' : 'accept';
      };
      const client = await connect(kind, url, as('ada'), user);
      const answers = await Promise.all([1, 2, 3].map((amount) => client.call('orders__refund', { amount })));
      expect(answers.map(({ text, code }) => code ?? text)).toEqual([
        '{"refunded":1}',
        'approval_denied',
        '{"refunded":3}',
      ]);
      expect([...paid].sort()).toEqual([1, 3]);
    });

    it('is never asked about at a client that did not say it can ask', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const client = await connect(kind, url, as('ada'));
      const { code, text } = await client.call('orders__refund', { amount: 5 });
      const [approval] = await allApprovals(app);
      expect({ code, isTold: text.includes(String(approval?.approvalId)) }).toEqual({
        code: 'approval_required',
        isTold: true,
      });
      expect(approval).toMatchObject({ state: 'pending', votes: [] });
      expect(paid).toEqual([]);
    });

    it.each([
      ['a policy that lets no requester decide', { mayRequesterDecide: false }],
      ['a policy that says nothing', {}],
      ['a role that they lack', { mayRequesterDecide: true, roles: ['finance'] }],
      ['an authorizer that refuses them', { mayRequesterDecide: true, authorizer: ({ action }) => action === 'see' }],
      ['calls that are not proposed', { mayRequesterDecide: true, proposeUnasked: false }],
    ] as [string, Partial<ApprovalsModuleOptions>][])('is not asked about: %s', async (_what, approvals) => {
      const { app, url } = await serveRefunds(platform, approvals);
      const user = userWho('accept');
      const client = await connect(kind, url, as('ada'), user);
      expect(await client.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_required' });
      expect([user.shown, paid]).toEqual([[], []]);
      for (const { state } of await allApprovals(app)) expect(state).toBe('pending');
    });

    it('is not asked about where the endpoint is not to, or nobody could read the arguments', async () => {
      const silent = await serveRefunds(platform, REQUESTER_DECIDES, { elicitationTimeoutMs: 0 });
      const user = userWho('accept');
      const client = await connect(kind, silent.url, as('ada'), user);
      expect(await client.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_required' });
      const asking = await connect(kind, (await serveRefunds(platform, REQUESTER_DECIDES)).url, as('ada'), user);
      const long = await asking.call('orders__refund', { amount: 5, note: 'x'.repeat(8_000) });
      expect([long.code, user.shown, paid]).toEqual(['approval_required', [], []]);
      await asking.call('orders__refund', { amount: 5, note: 'x'.repeat(7_900) });
      expect([user.shown.length, paid]).toEqual([1, [5]]);
    });

    it('counts as one of several approvals, and they are not asked twice', async () => {
      const { app, url } = await serveRefunds(platform, { mayRequesterDecide: true, quorum: 2 });
      const user = userWho('accept');
      const client = await connect(kind, url, as('ada'), user);
      const call = () => client.call('orders__refund', { amount: 5 });
      expect([(await call()).code, (await call()).code]).toEqual(['approval_required', 'approval_required']);
      expect(user.shown.length).toBe(1);
      await decide(app, 'approve');
      expect(await call()).toMatchObject({ text: '{"refunded":5}' });
      expect([paid, user.shown.length]).toEqual([[5], 1]);
    });

    it('is as somebody else decided while they were asked, and never runs for who said no', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const denied = await connect(kind, url, as('ada'), async (): Promise<UserAnswer> => {
        await decide(app, 'deny');
        return 'accept';
      });
      expect(await denied.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_denied' });
      const approved = await connect(kind, url, as('ada'), async (): Promise<UserAnswer> => {
        await decide(app, 'approve');
        return 'decline';
      });
      expect(await approved.call('orders__refund', { amount: 6 })).toMatchObject({ code: 'approval_conflict' });
      expect(paid).toEqual([]);
    });
  });

  it('boots with an authorizer and is asked about only where all of it lets the requester decide', async () => {
    const authorizer = publicApprovals();
    const { url } = await serveRefunds(platform, { mayRequesterDecide: true, authorizer, rolesOf: () => ['finance'] });
    const user = userWho('accept');
    const client = await connect('2026-07-28, client 2', url, as('ada'), user);
    expect(await client.call('orders__refund', { amount: 5 })).toMatchObject({ isError: false });
    expect(user.shown.length).toBe(1);
  });
});
