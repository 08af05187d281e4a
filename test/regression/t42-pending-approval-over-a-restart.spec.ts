import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type ApprovalRecord } from 'nestjs-palette';
import { bootApproving, codeOf, REFUND } from '../approvals/support/approving.js';
import { done } from '../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../support/application.js';

// A pending approval lost fields when it was stored, could not be found after a restart, or went to another agent.
// https://github.com/openai/openai-agents-js/issues/131 · https://github.com/mastra-ai/mastra/pull/17898

const NOTE = { when: '2026-03-01T10:00:00.000Z', number: '90071992547409931', words: 'ü 漢 🎬 \u2028', empty: '' };
// Spaces, order of keys and escapes as a model may write them.
const WRITTEN = `{ "amount" : 10,"order":"o-1", "note": ${JSON.stringify(NOTE).replace('ü', '\\u00fc')} }`;

describe.each(PLATFORMS)('a pending approval after a restart, on %s', (platform) => {
  const store = { current: new InMemoryAgentStore() };

  beforeEach(() => {
    done.length = 0;
    store.current = new InMemoryAgentStore();
  });
  afterEach(closeApplications);

  async function proposed(): Promise<ApprovalRecord> {
    const before = await bootApproving(platform, { store: store.current });
    const approval = await before.propose('ann', 'refunds__pay', WRITTEN, { runId: 'r-1' });
    await closeApplications();
    return JSON.parse(JSON.stringify(approval)) as ApprovalRecord;
  }

  it('is found by its run, byte for byte as the model wrote it, and runs once', async () => {
    const { approvalId } = await proposed();
    const after = await bootApproving(platform, { store: store.current });
    const { body } = await after.http('ben', 'get', '/approvals?runId=r-1');
    const [found] = (body as { approvals: ApprovalRecord[] }).approvals as [ApprovalRecord];
    expect(found).toMatchObject({ approvalId, agent: 'desk', toolName: 'refunds__pay', arguments: WRITTEN });
    await after.decide('ben', found);
    for (let turn = 0; turn < 2; turn++) {
      expect(await after.call('ann', 'refunds__pay', found.arguments, { approvalId })).toMatchObject({
        isError: false,
      });
    }
    expect(done.map(({ input }) => input)).toEqual([{ amount: 10, order: 'o-1', note: NOTE }]);
  });

  it('keeps a key that is the name of a prototype from being proposed or edited in', async () => {
    const app = await bootApproving(platform);
    const proto = '{"order":"o-1","amount":1,"note":{"__proto__":{"isAdmin":true}}}';
    await expect(app.propose('ann', 'refunds__pay', proto)).rejects.toThrow('refused');
    const approval = await app.propose('ann', 'refunds__pay', REFUND);
    const body = JSON.parse(proto) as object;
    expect((await app.decide('ben', approval, { arguments: body })).status).toBe(400);
    expect(await app.store.approval(approval.approvalId)).toMatchObject({ state: 'pending' });
  });

  it('is refused by name where its palette was renamed, and goes to no other', async () => {
    const approval = await proposed();
    const renamed = await bootApproving(platform, {
      store: store.current,
      palettes: [{ name: 'counter', readOnly: false, include: ['refunds.pay'] }],
    });
    await renamed.decide('ben', approval);
    const { approvalId } = approval;
    const result = await renamed.call('ann', 'refunds__pay', WRITTEN, { approvalId, palette: 'counter' });
    expect(codeOf(result)).toBe('approval_mismatch');
    expect(done).toEqual([]);
    expect((await renamed.http('ben', 'get', `/approvals/${approvalId}`)).body).toMatchObject({ state: 'approved' });
  });

  it('is refused by name where its tool is gone', async () => {
    const approval = await proposed();
    const without = await bootApproving(platform, {
      store: store.current,
      palettes: [{ name: 'desk', include: ['refunds.look'] }],
    });
    const edited = await without.decide('ben', approval, { arguments: REFUND });
    expect(edited).toMatchObject({ status: 400, body: { code: 'approval_decision_invalid' } });
    await without.decide('ben', approval);
    expect(codeOf(await without.call('ann', 'refunds__pay', WRITTEN, approval))).toBe('tool_unknown');
    expect(done).toEqual([]);
  });
});
