import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, OperationDispatcher, type ApprovalRecord } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { eventually } from '../support/eventually.js';
import { bootApproving, codeOf, REFUND, type Approving } from './support/approving.js';
import { as, disabled } from './support/people.js';
import { done, hold } from './support/refunds.js';

const HOUR_MS = 3_600_000;

describe.each(PLATFORMS)('an approved call, on %s', (platform) => {
  let approving: Approving;
  let offsetMs: number;

  beforeEach(async () => {
    done.length = 0;
    offsetMs = 0;
    const clock = { now: () => Date.now() + offsetMs, after: () => () => undefined };
    approving = await bootApproving(platform, {
      store: new InMemoryAgentStore({ clock }),
      approvals: { expiresInMs: HOUR_MS, sweepIntervalMs: 0 },
    });
  });
  afterEach(async () => {
    hold.until = undefined;
    hold.fail = false;
    disabled.clear();
    await closeApplications();
  });

  const pay = (approvalId: string, args: unknown = REFUND) =>
    approving.call('ann', 'refunds__pay', args, { approvalId });
  const approved = async (tool = 'refunds__pay', args: unknown = REFUND): Promise<ApprovalRecord> => {
    const approval = await approving.propose('ann', tool, args);
    expect(await approving.decide('ben', approval)).toMatchObject({ status: 200, body: { outcome: 'decided' } });
    return approval;
  };

  it('waits for its decision, runs once, and is answered with its stored result from then on', async () => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    expect(await pay(approval.approvalId)).toMatchObject({
      isError: true,
      content: { code: 'approval_required', details: { approvalId: approval.approvalId, reasons: ['moves money'] } },
    });
    expect(done).toEqual([]);
    await approving.decide('ben', approval);
    const result = await pay(approval.approvalId);
    expect(result).toEqual({ toolCallId: 'c-1', isError: false, content: { what: 'pay', input: REFUND } });
    expect(await pay(approval.approvalId)).toEqual(result);
    expect(done).toHaveLength(1);
  });

  it('runs once where it is asked for many times at once', async () => {
    const { approvalId } = await approved();
    let release = (): void => undefined;
    hold.until = new Promise<void>((resolve) => (release = resolve));
    const asked = Array.from({ length: 20 }, () => pay(approvalId));
    await eventually(() => expect(done).toHaveLength(1));
    release();
    const results = await Promise.all(asked);
    expect(results.filter(({ isError }) => !isError).length).toBeGreaterThan(0);
    expect(results.filter(({ isError }) => isError).every((result) => codeOf(result) === 'call_running')).toBe(true);
    expect(done).toHaveLength(1);
  });

  it('hands its handler one key, whatever key its caller sent', async () => {
    const { approvalId } = await approved();
    await pay(approvalId);
    expect(done[0]?.key).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['denied', 'approval_denied'],
    ['expired', 'approval_expired'],
  ])('is not run where it was %s', async (how, code) => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    if (how === 'denied') await approving.decide('ben', approval, { verdict: 'deny', comment: 'too early' });
    offsetMs = 2 * HOUR_MS;
    if (how === 'expired') {
      expect(await approving.decide('ben', approval)).toMatchObject({
        status: 403,
        body: { code: 'approval_expired' },
      });
    }
    expect(codeOf(await pay(approval.approvalId))).toBe(code);
    expect(done).toEqual([]);
  });

  it("expires by the store's clock, not by the application's", async () => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    expect(approval.expiresAt - approval.createdAt).toBe(HOUR_MS);
    offsetMs = -300_000;
    expect(await approving.decide('ben', approval)).toMatchObject({ status: 200 });
    expect(await pay(approval.approvalId)).toMatchObject({ isError: false });
  });

  it('is refused by the guards of the application as they judge the person now', async () => {
    const { approvalId } = await approved();
    disabled.add('ann');
    expect(await pay(approvalId)).toMatchObject({ isError: true, content: { code: 'forbidden' } });
    disabled.clear();
    expect(await pay(approvalId)).toMatchObject({ isError: true, content: { code: 'forbidden' } });
    expect(done).toEqual([]);
  });

  it('is unknown where its handler broke off, and an operator is told; it is not run again', async () => {
    const { approvalId, callId, conversationId } = await approved();
    hold.fail = true;
    expect(await catchError(() => pay(approvalId))).toMatchObject({ code: 'operation_failed' });
    hold.fail = false;
    expect(codeOf(await pay(approvalId))).toBe('tool_outcome_unknown');
    expect(done).toHaveLength(1);
    const listed = await approving.http('cleo', 'get', '/approvals/unknown-calls');
    expect(listed).toMatchObject({ status: 200, body: { calls: [{ callId, state: 'unknown' }] } });
    expect((await approving.http('otto', 'get', '/approvals/unknown-calls')).body).toEqual({ calls: [] });
    expect(await approving.http('ben', 'get', '/approvals/unknown-calls')).toMatchObject({ status: 403 });
    const acknowledge = (person: string) =>
      approving.http(person, 'post', '/approvals/unknown-calls/acknowledge', { conversationId, callId });
    expect(await approving.http('cleo', 'post', '/approvals/unknown-calls/acknowledge', { callId })).toMatchObject({
      status: 400,
      body: { code: 'approval_request_invalid' },
    });
    expect(await acknowledge('otto')).toMatchObject({ status: 404, body: { code: 'call_not_unknown' } });
    expect(await acknowledge('ben')).toMatchObject({ status: 403, body: { code: 'approval_decider_refused' } });
    expect(await acknowledge('cleo')).toMatchObject({ status: 204 });
    expect(await acknowledge('cleo')).toMatchObject({ status: 404, body: { code: 'call_not_unknown' } });
    expect((await approving.http('cleo', 'get', '/approvals/unknown-calls')).body).toEqual({ calls: [] });
  });

  it('runs again under the same key where a repeat does no harm', async () => {
    const { approvalId } = await approved('refunds__limit', { order: 'o-1', limit: 5 });
    const limit = () => approving.call('ann', 'refunds__limit', { order: 'o-1', limit: 5 }, { approvalId });
    hold.fail = true;
    expect(await catchError(limit)).toMatchObject({ code: 'operation_failed' });
    hold.fail = false;
    expect(await limit()).toMatchObject({ isError: false });
    expect(await limit()).toMatchObject({ isError: false });
    expect(done.map(({ key }) => key)).toEqual([done[0]?.key, done[0]?.key]);
  });

  it('is unknown once the claim of a process that died is over, and being run until then', async () => {
    const approval = await approved();
    const { conversationId, callId, approvalId } = approval;
    const claim = await approving.store.claimRun(conversationId, 'a process that died', 30_000);
    await approving.store.claimCall(conversationId, callId, claim?.fence ?? 0);
    expect(codeOf(await pay(approvalId))).toBe('call_running');
    offsetMs = 31_000;
    expect(codeOf(await pay(approvalId))).toBe('tool_outcome_unknown');
    expect(done).toEqual([]);
  });

  it('has its claim renewed for as long as it runs', async () => {
    const short = await bootApproving(platform, { approvals: { leaseMs: 1_000 } });
    const approval = await short.propose('ann', 'refunds__pay', REFUND);
    await short.decide('ben', approval);
    hold.until = new Promise((resolve) => setTimeout(resolve, 1_600));
    const running = short.call('ann', 'refunds__pay', REFUND, approval);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(codeOf(await short.call('ann', 'refunds__pay', REFUND, approval))).toBe('call_running');
    expect(await running).toMatchObject({ isError: false });
    expect(done).toHaveLength(1);
  });

  describe('with arguments that a person changed', () => {
    const EDITED = { order: 'o-1', amount: 4 };

    it('runs with those, says so to the model, and keeps both', async () => {
      const approval = await approving.propose('ann', 'refunds__pay', REFUND);
      const decided = await approving.decide('ben', approval, { arguments: EDITED });
      expect(decided).toMatchObject({ status: 200, body: { outcome: 'decided' } });
      const expected = {
        isError: false,
        content: { notice: expect.stringContaining('A person changed'), arguments: EDITED, result: { input: EDITED } },
      };
      expect(await pay(approval.approvalId)).toMatchObject(expected);
      expect(await pay(approval.approvalId)).toMatchObject(expected);
      expect(done.map(({ input }) => input)).toEqual([EDITED]);
      expect(await approving.http('ben', 'get', `/approvals/${approval.approvalId}`)).toMatchObject({
        body: { arguments: JSON.stringify(EDITED), originalArguments: JSON.stringify(REFUND) },
      });
    });

    it('runs once where the changed arguments would need no approval', async () => {
      const args = { order: 'o-1', amount: 1_000 };
      const approval = await approving.propose('ann', 'refunds__graded', args);
      await approving.decide('ben', approval, { arguments: EDITED });
      const run = () => approving.call('ann', 'refunds__graded', args, approval);
      expect(await run()).toMatchObject({ isError: false });
      expect(await run()).toMatchObject({ isError: false });
      expect(done.map(({ input }) => input)).toEqual([EDITED]);
    });

    it('is judged again by the guards when it runs', async () => {
      const approval = await approving.propose('ann', 'refunds__pay', REFUND);
      await approving.decide('ben', approval, { arguments: EDITED });
      disabled.add('ann');
      expect(await pay(approval.approvalId)).toMatchObject({
        isError: true,
        content: { code: 'forbidden', notice: expect.any(String) },
      });
      expect(done).toEqual([]);
    });

    it.each([
      ['an unfit value', { order: 'o-1', amount: 'many' }],
      ['a missing value', { order: 'o-1' }],
      ['an unknown value', { ...REFUND, to: 'me' }],
    ])('is not decided by %s', async (_what, args) => {
      const approval = await approving.propose('ann', 'refunds__pay', REFUND);
      const refused = await approving.decide('ben', approval, { arguments: args });
      expect(refused).toMatchObject({ status: 400, body: { code: 'approval_decision_invalid' } });
      expect(JSON.stringify(refused.body)).not.toMatch(/many|"me"/);
      expect(await approving.store.approval(approval.approvalId)).toMatchObject({ state: 'pending' });
    });
  });

  describe('and its gate', () => {
    it('stands in a palette that adds none, and in the part of one that is shown', async () => {
      const narrow = await bootApproving(platform, {
        palettes: [{ name: 'desk', readOnly: false, include: ['refunds.pay'], visible: () => true }],
      });
      const palette = await narrow.palette().visibleTo(as('ann'));
      const call = { id: 'c-1', name: 'refunds__pay', arguments: REFUND };
      const result = await narrow.app.get(OperationDispatcher).dispatch(call, { palette, caller: as('ann') });
      expect(codeOf(result)).toBe('approval_required');
      expect(done).toEqual([]);
    });

    it('is added to by a palette, for that palette', async () => {
      const two = await bootApproving(platform, {
        palettes: [
          {
            name: 'desk',
            readOnly: false,
            include: ['refunds.look', 'refunds.pay'],
            approvals: { 'refunds.pay': 'here too' },
          },
          { name: 'strict', include: ['refunds.look'], approvals: { 'refunds.look': 'curious' } },
        ],
      });
      const approval = await two.propose('ann', 'refunds__pay', REFUND);
      expect(approval.reason).toBe('moves money\nhere too');
      expect(codeOf(await two.call('ann', 'refunds__look', { order: 'o-1' }, { palette: 'strict' }))).toBe(
        'approval_required',
      );
      expect(await two.call('ann', 'refunds__look', { order: 'o-1' })).toMatchObject({ isError: false });
    });

    it('holds nobody up whom no rule concerns', async () => {
      const small = { order: 'o-1', amount: 5 };
      expect(await approving.call('ann', 'refunds__graded', small)).toMatchObject({ isError: false });
      const call = { id: 'c-1', name: 'refunds__graded', arguments: small };
      const context = { palette: approving.palette(), caller: as('ann'), principal: { subject: 'ann' } };
      expect(await approving.service.propose(call, context)).toEqual({ kind: 'free' });
      const unfit = await approving.service.propose({ ...call, arguments: {} }, context);
      expect(unfit).toMatchObject({ kind: 'refused', result: { content: { code: 'tool_arguments_invalid' } } });
    });

    it('does not touch plain HTTP', async () => {
      expect(await approving.http('ann', 'post', '/refunds', REFUND)).toMatchObject({ status: 201 });
      expect(done).toEqual([{ what: 'pay', input: REFUND, key: undefined }]);
    });
  });
});
