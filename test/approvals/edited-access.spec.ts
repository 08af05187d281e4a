import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalAccess } from 'nestjs-palette';
import { RequesterDecisions } from '../../lib/approvals/index.js';
import { canonicalDigest } from '../../lib/common/index.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootApproving, REFUND, type Approving } from './support/approving.js';
import { as } from './support/people.js';
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

  it('judges nobody by arguments that were replaced while it was asked', async () => {
    let change = (): Promise<unknown> => Promise.resolve();
    const authorizer = async (access: ApprovalAccess): Promise<boolean> => {
      const isLet = byAmount(access);
      if (access.action === 'decide' && access.by.subject === 'ben') await change();
      return isLet;
    };
    const desk = await bootApproving(platform, { approvals: { authorizer, quorum: 2 } });
    const approval = await desk.propose('ann', 'refunds__pay', REFUND);
    const large = { ...REFUND, amount: 5_000 };
    const argumentsHash = canonicalDigest(large);
    change = async () => {
      change = () => Promise.resolve();
      await desk.decide('cleo', approval, { arguments: large });
    };
    // The hash is no secret: anybody who knows the arguments can tell it.
    const stale = { status: 409, body: { code: 'approval_stale' } };
    expect(await desk.decide('ben', approval, { argumentsHash })).toMatchObject(stale);
    expect(await desk.store.approval(approval.approvalId)).toMatchObject({
      state: 'pending',
      argumentsHash,
      votes: [{ by: { subject: 'cleo' } }],
    });
    expect(await desk.decide('ben', approval, { argumentsHash })).toMatchObject(refused);
    expect(await desk.decide('ben', approval)).toMatchObject(refused);
  });

  it('tells who had decided before so, whatever the arguments have become', async () => {
    const desk = await bootApproving(platform, { approvals: { authorizer: byAmount, quorum: 2 } });
    const approval = await desk.propose('ann', 'refunds__pay', REFUND);
    expect(await desk.decide('ben', approval)).toMatchObject({ body: { outcome: 'counted' } });
    await desk.decide('cleo', approval, changed(20));
    expect(await desk.decide('ben', approval)).toMatchObject({ status: 200, body: { outcome: 'repeated' } });
    expect(await desk.decide('cleo', approval, { verdict: 'deny' })).toMatchObject({
      body: { code: 'approval_conflict' },
    });
    const shown = (await desk.store.approval(approval.approvalId)) ?? approval;
    expect(await desk.decide('ben', shown)).toMatchObject({ status: 200, body: { outcome: 'decided' } });
  });

  it('asks the requester again whose vote an edit voided, also where the arguments were changed back', async () => {
    const desk = await bootApproving(platform, {
      approvals: { authorizer: () => true, quorum: 3, mayRequesterDecide: true },
    });
    const { approvalId, ...approval } = await desk.propose('ann', 'refunds__pay', REFUND);
    const requester = desk.app.get(RequesterDecisions, { strict: false });
    const isAsked = async () => (await requester.waitingFor(as('ann'), approvalId)) !== undefined;
    const asked = [await isAsked()];
    for (const [person, body] of [['ann'], ['ben', changed(20)], ['cleo', changed(REFUND.amount)], ['ann']] as const) {
      const now = (await desk.store.approval(approvalId)) ?? { approvalId, ...approval };
      expect(await desk.decide(person, now, body)).toMatchObject({ body: { outcome: 'counted' } });
      asked.push(await isAsked());
    }
    expect(asked).toEqual([true, false, true, true, false]);
  });
});
