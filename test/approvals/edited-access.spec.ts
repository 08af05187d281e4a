import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalAccess } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootApproving, REFUND, type Approving } from './support/approving.js';
import { done } from './support/refunds.js';

/** Ben decides up to 100, Cleo about everything. */
function byAmount({ action, by, approval }: ApprovalAccess): boolean {
  if (action !== 'decide' || by.subject === 'cleo') return true;
  return by.subject === 'ben' && (JSON.parse(approval.arguments) as { amount: number }).amount <= 100;
}

describe.each(PLATFORMS)('an authorizer that looks at the arguments, on %s', (platform) => {
  let approving: Approving;

  beforeEach(async () => {
    done.length = 0;
    approving = await bootApproving(platform, { approvals: { authorizer: byAmount } });
  });
  afterEach(closeApplications);

  const refused = { status: 403, body: { code: 'approval_decider_refused' } };
  const changed = (amount: number): object => ({ arguments: { ...REFUND, amount } });

  it('judges who changes them by what would run', async () => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    expect(await approving.decide('ben', approval, changed(10_000))).toMatchObject(refused);
    expect(await approving.store.approval(approval.approvalId)).toMatchObject({ state: 'pending', votes: [] });
    expect(await approving.decide('ben', approval, changed(100))).toMatchObject({ status: 200 });
    await approving.call('ann', 'refunds__pay', REFUND, approval);
    expect(done).toMatchObject([{ input: { amount: 100 } }]);
  });

  it('judges them by what was asked for as well: nobody makes a call theirs to decide', async () => {
    const approval = await approving.propose('ann', 'refunds__pay', { ...REFUND, amount: 10_000 });
    expect(await approving.decide('ben', approval, changed(5))).toMatchObject(refused);
    expect(await approving.decide('cleo', approval, changed(5))).toMatchObject({ status: 200 });
  });
});
