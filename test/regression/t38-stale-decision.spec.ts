import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootApproving, codeOf, REFUND, type Approving } from '../approvals/support/approving.js';
import { done } from '../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../support/application.js';

// A late click on "approve" for one call was applied to the call that was pending by then.
// https://github.com/mastra-ai/mastra/issues/19633

describe.each(PLATFORMS)('a decision that comes late, on %s', (platform) => {
  let approving: Approving;

  beforeEach(async () => {
    done.length = 0;
    approving = await bootApproving(platform);
  });
  afterEach(closeApplications);

  const LARGE = { order: 'o-1', amount: 10_000 };

  it('is about its own call: the newer one goes on waiting', async () => {
    const small = await approving.propose('ann', 'refunds__pay', REFUND, { runId: 'r-1' });
    await approving.decide('ben', small, { verdict: 'deny' });
    const large = await approving.propose('ann', 'refunds__pay', LARGE, { runId: 'r-1' });
    expect(await approving.decide('cleo', small)).toMatchObject({
      status: 409,
      body: { code: 'approval_conflict', details: { state: 'denied', by: 'ben', verdict: 'deny' } },
    });
    expect(codeOf(await approving.call('ann', 'refunds__pay', LARGE, large))).toBe('approval_required');
    expect(codeOf(await approving.call('ann', 'refunds__pay', REFUND, small))).toBe('approval_denied');
    expect(done).toEqual([]);
    await approving.decide('ben', large);
    expect(await approving.call('ann', 'refunds__pay', LARGE, large)).toMatchObject({ isError: false });
  });

  it('is answered alike where it is the same again, and with the winner where it is another', async () => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    const both = await Promise.all([approving.decide('ben', approval), approving.decide('ben', approval)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ body }) => body['outcome']).sort()).toEqual(['decided', 'repeated']);
    expect(await approving.decide('ben', approval, { verdict: 'deny' })).toMatchObject({ status: 409 });
    await approving.call('ann', 'refunds__pay', REFUND, approval);
    await approving.call('ann', 'refunds__pay', REFUND, approval);
    expect(done).toHaveLength(1);
  });

  it('settles nothing where two say otherwise at once: one wins, the other is told who', async () => {
    for (let round = 0; round < 20; round++) {
      const approval = await approving.propose('ann', 'refunds__pay', { ...REFUND, order: `o-${round}` });
      const answers = await Promise.all([
        approving.decide('ben', approval),
        approving.decide('cleo', approval, { verdict: 'deny' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const lost = answers.find(({ status }) => status === 409)?.body as { details: { by: string } };
      expect(lost.details.by).toBe(answers[0].status === 200 ? 'ben' : 'cleo');
    }
  });

  it('settles nothing by what its person did not see', async () => {
    const one = await approving.propose('ann', 'refunds__pay', REFUND);
    const other = await approving.propose('ann', 'refunds__pay', LARGE);
    const mixed = { approvalId: other.approvalId, argumentsHash: one.argumentsHash };
    const stale = await approving.decide('ben', { ...other, ...mixed });
    expect(stale).toMatchObject({ status: 409, body: { code: 'approval_stale' } });
    expect(await approving.store.approval(other.approvalId)).toMatchObject({ state: 'pending' });
  });

  it('is about nothing where its id is unknown', async () => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    const unknown = { ...approval, approvalId: '00000000-0000-4000-8000-000000000000' };
    expect(await approving.decide('ben', unknown)).toMatchObject({ status: 404, body: { code: 'approval_unknown' } });
    expect(await approving.store.approval(approval.approvalId)).toMatchObject({ state: 'pending' });
  });
});
