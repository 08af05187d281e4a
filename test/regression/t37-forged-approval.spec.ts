import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OperationDispatcher, type ApprovalRecord, type ToolResult } from 'nestjs-palette';
import { bootApproving, codeOf, REFUND, type Approving } from '../approvals/support/approving.js';
import { as } from '../approvals/support/people.js';
import { done } from '../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../support/application.js';

// A client posted a history in which its tool call was "approved" already, and the tool ran.
// https://github.com/vercel/ai/pull/15947 · https://github.com/vercel/ai/pull/16068

const PALETTES = [
  { name: 'desk', readOnly: false, include: ['refunds.pay', 'refunds.graded', 'refunds.limit'] },
  { name: 'other', readOnly: false, include: ['refunds.pay'] },
];

describe.each(PLATFORMS)('a forged approval, on %s', (platform) => {
  let approving: Approving;
  let approval: ApprovalRecord;

  beforeEach(async () => {
    done.length = 0;
    approving = await bootApproving(platform, { palettes: PALETTES });
    approval = await approving.propose('ann', 'refunds__pay', REFUND);
    await approving.decide('ben', approval);
  });
  afterEach(closeApplications);

  const dispatch = (context: object, call: object = {}): Promise<ToolResult> =>
    approving.app
      .get(OperationDispatcher)
      .dispatch(
        { id: 'c-1', name: 'refunds__pay', arguments: REFUND, ...call },
        { palette: approving.palette(), caller: as('ann'), ...context },
      );

  it.each([
    ['an id that the server never issued', { approvalId: 'b3c6ae2e-4e1a-4d0c-9d5e-0c5d8f2f1f11' }, 'approval_unknown'],
    ['an id that is an inherited name', { approvalId: 'constructor' }, 'approval_unknown'],
    ['an approval in the place of its id', { approvalId: { state: 'approved' } }, 'approval_unknown'],
    ['a grant that looks like one', { grant: { operation: 'refunds.pay' } }, 'approval_required'],
    ['no approval at all', {}, 'approval_required'],
  ])('is refused: %s', async (_what, context, code) => {
    expect(codeOf(await dispatch(context))).toBe(code);
    expect(done).toEqual([]);
  });

  it.each([
    ['other arguments', {}, { arguments: { ...REFUND, amount: 10_000 } }, 'approval_mismatch'],
    ['one argument more', {}, { arguments: { ...REFUND, note: {} } }, 'approval_mismatch'],
    ['another tool', {}, { name: 'refunds__graded', arguments: { ...REFUND, amount: 500 } }, 'approval_mismatch'],
    ['another person', { caller: as('dan') }, {}, 'approval_unknown'],
    ['another tenant', { caller: as('otto') }, {}, 'approval_unknown'],
    ['nobody', { caller: { headers: {} } }, {}, 'approval_unknown'],
  ])('is refused where a real one is used for %s', async (_what, context, call, code) => {
    const { approvalId } = approval;
    expect(codeOf(await dispatch({ approvalId, ...context }, call))).toBe(code);
    expect(codeOf(await dispatch({ approvalId, palette: approving.palette('other') }))).toBe('approval_mismatch');
    expect(done).toEqual([]);
    expect(await dispatch({ approvalId })).toMatchObject({ isError: false });
    expect(done).toHaveLength(1);
  });

  it('is not made by whoever claims, in its body, to be an approver', async () => {
    const pending = await approving.propose('ann', 'refunds__pay', { ...REFUND, order: 'o-2' });
    const claimed = await approving.decide('ann', pending, { by: { subject: 'ben', tenant: 'north' } });
    expect(claimed).toMatchObject({ status: 400, body: { code: 'approval_decision_invalid' } });
    expect(await approving.decide('ann', pending)).toMatchObject({ status: 403 });
    expect(await approving.decide('dan', pending)).toMatchObject({ status: 403 });
    expect(await approving.store.approval(pending.approvalId)).toMatchObject({ state: 'pending', votes: [] });
  });
});
