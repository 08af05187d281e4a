import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalsModuleOptions, ApprovalRecord } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { done } from '../../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { eventually } from '../../support/eventually.js';
import { collect, counted, doneOf, ofType } from '../run/support/running.js';
import { bootDesk, resolvePrincipal, type Desk } from './support/desk.js';

const pay = (order: string) => ({ name: 'refunds__pay', arguments: { order, amount: 10 } });
const PAY = { toolCalls: [pay('o-1')] };

/** The policies of `ApprovalsModule` hold for the calls of agents as for others. */
describe.each(PLATFORMS)('a call of an agent under a policy, on %s', (platform) => {
  let model: ScriptedModel;
  let desk: Desk;

  async function asked(
    script: readonly ScriptedStep[],
    approvals: Partial<ApprovalsModuleOptions>,
    more: Partial<Parameters<typeof bootDesk>[1]> = {},
  ): Promise<readonly string[]> {
    model = new ScriptedModel(script);
    desk = await bootDesk(platform, { model, approvals, agents: { resolvePrincipal }, ...more });
    return ofType(await collect(desk.say('pay')), 'approval_request').map(({ approvalId }) => approvalId);
  }
  const over = (): Promise<void> =>
    eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeUndefined());
  const told = (): unknown => model.requests.at(-1)?.messages.at(-1);

  beforeEach(() => {
    done.length = 0;
  });
  afterEach(closeApplications);

  it('expires, and the model is told, with nobody there', async () => {
    const heard: ApprovalRecord['state'][] = [];
    const notifiers = [{ onDecided: ({ state }: ApprovalRecord) => void heard.push(state) }];
    const [approvalId = ''] = await asked([PAY, 'Too late.'], { expiresInMs: 150, sweepIntervalMs: 20, notifiers });
    await over();
    expect(told()).toMatchObject({ role: 'tool', isError: true, content: { code: 'approval_expired' } });
    expect(await desk.decide('ben', approvalId)).toBe(403);
    expect([heard, done]).toEqual([['expired'], []]);
  });

  it('waits for as many persons as it says', async () => {
    const [approvalId = ''] = await asked([PAY, 'Paid.'], { operations: { 'refunds.pay': { quorum: 2 } } });
    await desk.decide('ben', approvalId);
    await desk.decide('ben', approvalId);
    expect(doneOf(await collect(desk.say(undefined))).outcome).toBe('waiting');
    expect(done).toEqual([]);
    await desk.decide('cleo', approvalId);
    await over();
    expect(done).toHaveLength(1);
  });

  it('waits for somebody of the role that it says, by the name of a function as well', async () => {
    const { tool, runs } = counted('send_mail', { approval: 'goes to a customer' });
    const [approvalId = ''] = await asked(
      [{ toolCalls: [{ name: 'send_mail', arguments: { to: 'bob' } }] }, 'Sent.'],
      { operations: { send_mail: { roles: ['operator'] } } },
      { tools: [tool] },
    );
    expect(await desk.decide('ben', approvalId)).toBe(403);
    expect(await desk.decide('cleo', approvalId)).toBe(200);
    await over();
    expect(runs).toEqual([{ to: 'bob' }]);
  });

  it('is decided by whoever asked, where that is allowed', async () => {
    const authorizer = () => true;
    const [approvalId = ''] = await asked([PAY, 'Paid.'], { mayRequesterDecide: true, authorizer });
    expect(await desk.decide('ann', approvalId)).toBe(200);
    await over();
    expect(done).toHaveLength(1);
  });

  it('goes on by itself once all of its reply are decided, and when it is asked for before that', async () => {
    const [one = '', two = ''] = await asked([{ toolCalls: [pay('first'), pay('second')] }, 'Both.'], {});
    await desk.decide('ben', two);
    expect(doneOf(await collect(desk.say(undefined)))).toMatchObject({ outcome: 'waiting', pendingApprovals: [one] });
    expect(done.map(({ input }) => input)).toMatchObject([{ order: 'second' }]);
    await desk.decide('ben', one);
    await over();
    expect(done.map(({ input }) => input)).toMatchObject([{ order: 'second' }, { order: 'first' }]);
    expect(model.requests).toHaveLength(2);
  });
});
