import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type ApprovalRecord, type ToolResult } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootApproving, codeOf, REFUND, type Approving } from './support/approving.js';
import { done } from './support/refunds.js';

const DAY_MS = 86_400_000;

describe.each(PLATFORMS)('a gated call that came without an approval, on %s', (platform) => {
  let approving: Approving;
  let offsetMs: number;
  const store = () =>
    new InMemoryAgentStore({ clock: { now: () => Date.now() + offsetMs, after: () => () => undefined } });

  beforeEach(async () => {
    done.length = 0;
    offsetMs = 0;
    approving = await bootApproving(platform, { store: store(), approvals: { proposeUnasked: true } });
  });
  afterEach(closeApplications);

  const pay = (args: unknown = REFUND, person = 'ann') => approving.call(person, 'refunds__pay', args);
  const idOf = ({ content }: ToolResult) =>
    (content as { details: { approvalId?: string } }).details.approvalId as string;
  const proposed = async (result: ToolResult): Promise<ApprovalRecord> =>
    (await approving.store.approval(idOf(result))) as ApprovalRecord;

  it('is proposed at once, and answered when it comes again after the decision', async () => {
    const first = await pay();
    expect(codeOf(first)).toBe('approval_required');
    expect(idOf(await pay({ amount: 10, order: 'o-1' }))).toBe(idOf(first));
    await approving.decide('ben', await proposed(first));
    expect(await pay()).toMatchObject({ isError: false, content: { what: 'pay', input: REFUND } });
    expect(done).toHaveLength(1);
  });

  it('is another call where person or arguments are others', async () => {
    const ids = [await pay(), await pay({ ...REFUND, amount: 11 }), await pay(REFUND, 'dan')].map(idOf);
    expect(new Set(ids).size).toBe(3);
    await approving.decide('ben', (await approving.store.approval(ids[0] as string)) as ApprovalRecord);
    expect(codeOf(await pay(REFUND, 'dan'))).toBe('approval_required');
    expect(codeOf(await pay({ ...REFUND, amount: 11 }))).toBe('approval_required');
    expect(done).toEqual([]);
  });

  it('comes to one approval, however often it comes at once', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => pay()));
    expect(new Set(results.map(idOf)).size).toBe(1);
    expect((await approving.store.approvals({})).approvals).toHaveLength(1);
  });

  it('is asked for anew once it has run', async () => {
    const first = await pay();
    await approving.decide('ben', await proposed(first));
    await pay();
    const next = await pay();
    expect(codeOf(next)).toBe('approval_required');
    expect(idOf(next)).not.toBe(idOf(first));
    expect(done).toHaveLength(1);
  });

  it('stays denied for as long as it could have been decided', async () => {
    const first = await pay();
    await approving.decide('ben', await proposed(first), { verdict: 'deny' });
    expect(codeOf(await pay())).toBe('approval_denied');
    expect(codeOf(await pay())).toBe('approval_denied');
    expect(done).toEqual([]);
  });

  it('is asked for anew once nobody decided in time', async () => {
    const first = await pay();
    offsetMs = 2 * DAY_MS;
    await approving.store.expireApprovals(10);
    const next = await pay();
    expect(codeOf(next)).toBe('approval_required');
    expect(idOf(next)).not.toBe(idOf(first));
  });

  it('is only refused where the module does not say so, and where nobody is known', async () => {
    const strict = await bootApproving(platform);
    const refused = await strict.call('ann', 'refunds__pay', REFUND);
    expect(refused.content).toMatchObject({ code: 'approval_required', details: { reasons: ['moves money'] } });
    expect(idOf(refused)).toBeUndefined();
    expect(idOf(await pay(REFUND, 'nobody'))).toBeUndefined();
    expect((await strict.store.approvals({})).approvals).toEqual([]);
  });
});
