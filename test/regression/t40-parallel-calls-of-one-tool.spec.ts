import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore } from 'nestjs-palette';
import { bootApproving, codeOf, REFUND } from '../approvals/support/approving.js';
import { done } from '../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../support/application.js';

// Two calls of one tool in one turn had one id between them: the second decision found nothing, or met the other call.
// https://github.com/mastra-ai/mastra/issues/16468 · https://github.com/langchain-ai/langgraph/pull/6542

describe.each(PLATFORMS)('two calls of one tool, on %s', (platform) => {
  beforeEach(() => {
    done.length = 0;
  });
  afterEach(closeApplications);

  it.each([
    ['other arguments', { ...REFUND, order: 'o-2' }],
    ['the same arguments', REFUND],
  ])('wait each by itself with %s, decided in any order, with a restart in between', async (_what, second) => {
    const store = new InMemoryAgentStore();
    const before = await bootApproving(platform, { store });
    const one = await before.propose('ann', 'refunds__pay', REFUND, { id: 'c-1', runId: 'r-1' });
    const two = await before.propose('ann', 'refunds__pay', second, { id: 'c-2', runId: 'r-1' });
    expect(one.approvalId).not.toBe(two.approvalId);
    expect(await before.decide('ben', two)).toMatchObject({ status: 200 });
    await closeApplications();

    const after = await bootApproving(platform, { store });
    const listed = await after.http('ben', 'get', '/approvals?runId=r-1&state=pending');
    expect(listed.body).toMatchObject({ approvals: [{ approvalId: one.approvalId, toolCallId: 'c-1' }] });
    expect(await after.decide('ben', one, { verdict: 'deny' })).toMatchObject({ status: 200 });
    const results = await Promise.all([
      after.call('ann', 'refunds__pay', REFUND, { id: 'c-1', approvalId: one.approvalId }),
      after.call('ann', 'refunds__pay', second, { id: 'c-2', approvalId: two.approvalId }),
    ]);
    expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ['c-1', true],
      ['c-2', false],
    ]);
    expect(codeOf(results[0])).toBe('approval_denied');
    expect(done.map(({ input }) => input)).toEqual([second]);
  });
});
