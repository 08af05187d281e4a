import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { bootDesk, resolvePrincipal, type Desk } from '../agent/module/support/desk.js';
import { journalFaults } from '../agent/run/support/journal.js';
import { collect, counted, doneOf, ofType } from '../agent/run/support/running.js';
import { done } from '../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';

// Two calls of one tool in one reply: the second answer found nothing suspended, or went to the other call; the model was asked before
// both were there.
// https://github.com/mastra-ai/mastra/issues/16468 · https://github.com/mastra-ai/mastra/pull/19435

const A = { order: 'a', amount: 1 };
const B = { order: 'b', amount: 2 };
const pays = (...inputs: readonly object[]) => ({
  toolCalls: inputs.map((input, index) => ({ id: `c${index + 1}`, name: 'refunds__pay', arguments: { ...input } })),
});

describe.each(PLATFORMS)('two calls of one tool in one reply, on %s', (platform) => {
  let model: ScriptedModel;

  beforeEach(() => {
    done.length = 0;
  });
  afterEach(closeApplications);

  const boot = (store: InMemoryAgentStore, more: object = {}): Promise<Desk> =>
    bootDesk(platform, { model, store, ...more });

  it.each([
    ['other arguments', B],
    ['the same arguments', A],
  ])(
    'wait each by itself with %s: the second decided first, the first denied after a restart',
    async (_what, second) => {
      model = new ScriptedModel([pays(A, second), 'One of two.']);
      const store = new InMemoryAgentStore();
      const before = await boot(store);
      const [one, two] = ofType(await collect(before.say('pay')), 'approval_request').map(
        ({ approvalId }) => approvalId,
      );
      expect(one).not.toBe(two);
      await before.decide('ben', two ?? '');
      expect(doneOf(await collect(before.say(undefined)))).toMatchObject({
        outcome: 'waiting',
        pendingApprovals: [one],
      });
      expect(done.map(({ input }) => input)).toEqual([second]);
      expect(model.requests).toHaveLength(1);
      await closeApplications();

      const after = await boot(store);
      await after.decide('cleo', one ?? '', { verdict: 'deny' });
      expect(doneOf(await collect(after.say(undefined))).answer).toBe('One of two.');
      expect(model.requests).toHaveLength(2);
      expect(model.requests[1]?.messages.slice(2)).toMatchObject([
        { role: 'tool', toolCallId: 'c1', isError: true, content: { code: 'approval_denied' } },
        { role: 'tool', toolCallId: 'c2', isError: false, content: { input: second } },
      ]);
      expect(done).toHaveLength(1);
      expect(journalFaults(await store.read('c-1'))).toEqual([]);
    },
  );

  it('have keys of their own, also where their arguments are the same', async () => {
    model = new ScriptedModel([pays(A, A), 'Paid.']);
    const desk = await boot(new InMemoryAgentStore());
    const asked = ofType(await collect(desk.say('pay')), 'approval_request');
    for (const { approvalId } of asked) await desk.decide('ben', approvalId);
    await collect(desk.say(undefined));
    expect(new Set(done.map(({ key }) => key)).size).toBe(2);
  });

  it('are decided at once, in either order, and the run goes on once, by itself', async () => {
    model = new ScriptedModel([pays(A, B), 'Both.']);
    const store = new InMemoryAgentStore();
    const desk = await boot(store, { agents: { resolvePrincipal } });
    const [one, two] = ofType(await collect(desk.say('pay')), 'approval_request').map(({ approvalId }) => approvalId);
    await boot(store, { agents: { resolvePrincipal, sweepIntervalMs: 5 } });
    await Promise.all([desk.decide('cleo', two ?? ''), desk.decide('ben', one ?? '')]);
    await eventually(async () => expect((await store.find('c-1'))?.openRunId).toBeUndefined());
    expect(done).toHaveLength(2);
    expect(model.requests).toHaveLength(2);
  });

  it('of a function wait the same', async () => {
    const { tool, runs } = counted('send_mail', { approval: 'goes to a customer' });
    const call = (to: string) => ({ name: 'send_mail', arguments: { to } });
    model = new ScriptedModel([{ toolCalls: [call('bob'), call('eve')] }, 'One of two.']);
    const desk = await boot(new InMemoryAgentStore(), { tools: [tool] });
    const [one, two] = ofType(await collect(desk.say('mail')), 'approval_request').map(({ approvalId }) => approvalId);
    await desk.decide('ben', two ?? '');
    await desk.decide('ben', one ?? '', { verdict: 'deny' });
    const rest = await collect(desk.say(undefined));
    expect(ofType(rest, 'tool_result').map(({ isError }) => isError)).toEqual([true, false]);
    expect(runs).toEqual([{ to: 'eve' }]);
  });
});
