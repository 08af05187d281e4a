import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalsModuleOptions } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { initialize, post, type OpenPost } from './support/asked-client.js';
import { allApprovals, as, paid, serveRefunds } from './support/refunds.js';
import { askAda, callRefund, REFUND, told } from './support/wire-refunds.js';

const REQUESTER_DECIDES: Partial<ApprovalsModuleOptions> = { mayRequesterDecide: true };
describe.each(PLATFORMS)('the answer to a question, as it comes over the wire on %s', (platform) => {
  beforeEach(() => void (paid.length = 0));
  afterEach(closeApplications);

  const states = async (app: Parameters<typeof allApprovals>[0]) => (await allApprovals(app)).map(({ state }) => state);

  describe('of revision 2026-07-28', () => {
    it('runs the call once, also where it comes again', async () => {
      const { base } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { answer } = await askAda(base);
      for (let count = 0; count < 2; count++) {
        expect(told((await callRefund(base, 'ada', answer('accept'))).result)).toEqual({ refunded: 5 });
      }
      expect(paid).toEqual([5]);
    });

    it('is not taken from another person, and then is from who was asked', async () => {
      const { app, base } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { answer } = await askAda(base);
      for (const action of ['accept', 'decline', 'cancel']) {
        expect(told((await callRefund(base, 'eve', answer(action))).result)).toMatchObject({
          code: 'approval_unknown',
        });
      }
      expect([await states(app), paid]).toEqual([['pending'], []]);
      expect(told((await callRefund(base, 'ada', answer('accept'))).result)).toEqual({ refunded: 5 });
    });

    it('is not taken for other arguments than were shown, nor under another name', async () => {
      const { app, base } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { approvalId, answer } = await askAda(base);
      const changed = { ...answer('accept'), requestState: `${approvalId} ${'0'.repeat(64)}` };
      expect(told((await callRefund(base, 'ada', changed)).result)).toMatchObject({ code: 'approval_required' });
      const denied = { ...answer('decline'), requestState: `${approvalId} ${'0'.repeat(64)}` };
      expect(told((await callRefund(base, 'ada', denied)).result)).toMatchObject({ code: 'approval_stale' });
      expect((await callRefund(base, 'ada', answer('accept', 'another'))).result).toMatchObject({
        resultType: 'input_required',
      });
      const other = { ...answer('accept'), arguments: { amount: 500 } };
      expect([await states(app), paid]).toEqual([['pending'], []]);
      expect(told((await callRefund(base, 'ada', other)).result)).toMatchObject({ code: 'approval_mismatch' });
      expect(paid).toEqual([]);
      expect(told((await callRefund(base, 'ada', answer('accept'))).result)).toEqual({ refunded: 5 });
    });

    it.each(['accepted', '', null])('is no yes where it says %j', async (action) => {
      const { app, base } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { answer } = await askAda(base);
      const { result } = await callRefund(base, 'ada', answer(action as string));
      expect(told(result)).toMatchObject({ code: 'approval_required' });
      expect([await states(app), paid]).toEqual([['pending'], []]);
    });

    it('decides nothing that its requester may not decide, however it is made', async () => {
      const { app, base } = await serveRefunds(platform, { mayRequesterDecide: false });
      expect(told((await callRefund(base, 'ada')).result)).toMatchObject({ code: 'approval_required' });
      const [{ approvalId, argumentsHash } = { approvalId: '', argumentsHash: '' }] = await allApprovals(app);
      const forged = {
        inputResponses: { [approvalId]: { action: 'accept', content: {} } },
        requestState: `${approvalId} ${argumentsHash}`,
      };
      expect(told((await callRefund(base, 'ada', forged)).result)).toMatchObject({ code: 'approval_required' });
      expect([await states(app), paid]).toEqual([['pending'], []]);
    });

    it('is not asked for where a client has a browser to open only', async () => {
      const { base } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { result } = await callRefund(base, 'ada', {}, { elicitation: { url: {} } });
      expect(told(result)).toMatchObject({ code: 'approval_required' });
      const both = await callRefund(base, 'ada', {}, { elicitation: { url: {}, form: {} } });
      expect(both.result).toMatchObject({ resultType: 'input_required' });
    });
  });

  describe('of revision 2025-11-25', () => {
    const open: OpenPost[] = [];
    afterEach(() => Promise.all(open.splice(0).map((each) => each.hangUp())));

    const sent = async (url: string, message: object, headers: Record<string, string>): Promise<OpenPost> => {
      const one = await post(url, message, headers);
      open.push(one);
      return one;
    };

    async function ask(url: string) {
      const session = await initialize(url, { elicitation: {} }, as('ada'));
      const of = (user: string) => ({ ...as(user), 'mcp-session-id': session });
      const running = await sent(url, { id: 2, method: 'tools/call', params: REFUND }, of('ada'));
      const question = await running.next();
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: /needs your approval/ } });
      const answer = (user: string, action: string, id = question?.id) =>
        sent(url, { id, result: { action, content: {} } }, of(user));
      return { session, running, question, answer, of };
    }

    it('is not taken from another person, whatever session they name, and then is from who was asked', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { running, answer } = await ask(url);
      for (const action of ['accept', 'decline', 'cancel']) {
        expect((await answer('eve', action)).status).toBe(202);
      }
      expect((await answer('ada', 'accept', 'another')).status).toBe(202);
      expect([await states(app), paid]).toEqual([['pending'], []]);
      await answer('ada', 'accept');
      expect(told((await running.next())?.result)).toEqual({ refunded: 5 });
      expect([await states(app), paid]).toEqual([['approved'], [5]]);
      await answer('ada', 'accept');
      expect(paid).toEqual([5]);
    });

    it('is not taken from another session of the same person', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { running, question, answer } = await ask(url);
      const other = { ...as('ada'), 'mcp-session-id': await initialize(url, { elicitation: {} }, as('ada')) };
      await sent(url, { id: question?.id, result: { action: 'accept', content: {} } }, other);
      expect([await states(app), paid]).toEqual([['pending'], []]);
      await answer('ada', 'decline');
      expect(told((await running.next())?.result)).toMatchObject({ code: 'approval_denied' });
    });

    it('is no yes where it is an error', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { running, question, of } = await ask(url);
      await sent(url, { id: question?.id, error: { code: -32_601, message: 'Method not found' } }, of('ada'));
      expect(told((await running.next())?.result)).toMatchObject({ code: 'approval_required' });
      expect([await states(app), paid]).toEqual([['pending'], []]);
    });

    it('is waited for only so long, and decides nothing when it comes late', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES, { elicitationTimeoutMs: 100 });
      const { running, question, answer } = await ask(url);
      expect(await running.next()).toMatchObject({
        method: 'notifications/cancelled',
        params: { requestId: question?.id },
      });
      expect(told((await running.next())?.result)).toMatchObject({ code: 'approval_required' });
      expect((await answer('ada', 'accept')).status).toBe(202);
      expect([await states(app), paid]).toEqual([['pending'], []]);
    });

    it('keeps no application from closing', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const { running } = await ask(url);
      await app.close();
      expect(await running.next()).toMatchObject({ method: 'notifications/cancelled' });
      expect(told((await running.next())?.result)).toMatchObject({ code: 'approval_required' });
      expect(paid).toEqual([]);
    });

    it('is waited for no longer when the call is cancelled or its client is gone', async () => {
      const { app, url } = await serveRefunds(platform, REQUESTER_DECIDES);
      const cancelled = await ask(url);
      const cancel = { method: 'notifications/cancelled', params: { requestId: 2 } };
      await sent(url, cancel, cancelled.of('ada'));
      expect(await cancelled.running.next()).toMatchObject({ method: 'notifications/cancelled' });
      const gone = await ask(url);
      await gone.running.hangUp();
      // The server hears of it in its own time, by another connection than the answer's.
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const { answer } of [cancelled, gone]) await answer('ada', 'accept');
      expect([await states(app), paid]).toEqual([['pending'], []]);
    });
  });
});
