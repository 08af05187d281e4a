import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { bootApproving, codeOf, REFUND, type Approving } from '../../approvals/support/approving.js';
import { done } from '../../approvals/support/refunds.js';
import { closeApplications } from '../../support/application.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

/** Longer than any test lasts: what is seen before was pushed. */
const NEVER_MS = 600_000;

describeOnRedis('two applications over one Redis', () => {
  let place: RedisPlace;
  let one: Approving;
  let other: Approving;

  const boot = () =>
    bootApproving('express', {
      store: place.store({ client: place.connect(), pollMs: NEVER_MS }),
      approvals: { sweepIntervalMs: 0 },
    });

  beforeAll(() => {
    place = new RedisPlace('applications');
  });
  beforeEach(async () => {
    done.length = 0;
    await place.clear();
    [one, other] = [await boot(), await boot()];
  });
  afterEach(() => closeApplications());
  afterAll(() => place.close());

  const pay = (approving: Approving, approvalId?: string) =>
    approving.call('ann', 'refunds__pay', REFUND, approvalId === undefined ? {} : { approvalId });

  it('wait for a decision on one that is made on the other, within a second of it', async () => {
    const approval = await one.propose('ann', 'refunds__pay', REFUND);
    const settled = one.service.settled(approval.approvalId, new AbortController().signal);
    const decided = Date.now();
    expect(await other.decide('ben', approval)).toMatchObject({ status: 200, body: { outcome: 'decided' } });
    expect(await settled).toMatchObject({ state: 'approved', votes: [{ by: { subject: 'ben' } }] });
    expect(Date.now() - decided).toBeLessThan(1000);
  });

  it('run an approved call once, whichever of them is asked, and answer both with its result', async () => {
    const approval = await one.propose('ann', 'refunds__pay', REFUND);
    const { approvalId } = approval;
    expect(codeOf(await pay(other, approvalId))).toBe('approval_required');
    await other.decide('ben', approval);
    const results = await Promise.all([one, other, one, other].map((each) => pay(each, approvalId)));
    expect(done).toHaveLength(1);
    // Those who were not told the result were told that it is under way.
    const answers = results.map((result) => codeOf(result) ?? 'paid');
    expect(answers).toContain('paid');
    expect(['paid', 'call_running']).toEqual(expect.arrayContaining(answers));
    expect(await pay(one, approvalId)).toMatchObject({ isError: false, content: { what: 'pay', input: REFUND } });
    expect(await pay(other, approvalId)).toMatchObject({ isError: false, content: { what: 'pay', input: REFUND } });
    expect(done).toHaveLength(1);
  });

  it('find after a restart what was there before it', async () => {
    const approval = await one.propose('ann', 'refunds__pay', REFUND);
    await closeApplications();
    const again = await boot();
    expect(await again.http('ben', 'get', '/approvals?state=pending')).toMatchObject({
      status: 200,
      body: { approvals: [{ approvalId: approval.approvalId, arguments: JSON.stringify(REFUND) }] },
    });
    await again.decide('ben', approval);
    expect(await pay(again, approval.approvalId)).toMatchObject({ isError: false });
  });

  it('tell the one who decides second who was first', async () => {
    const approval = await one.propose('ann', 'refunds__pay', REFUND);
    const answers = await Promise.all([
      one.decide('ben', approval),
      other.decide('cleo', approval, { verdict: 'deny' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const conflict = answers.find(({ status }) => status === 409)?.body;
    expect(conflict).toMatchObject({ code: 'approval_conflict' });
  });
});
