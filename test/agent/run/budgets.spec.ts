import { describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore, runAgent, type RunBudget, type RunLimitsOptions } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { faultsOf, journalFaults } from './support/journal.js';
import { ask, CALLER, collect, counted, doneOf, ofType, say, typesOf } from './support/running.js';

const CALLS: ScriptedStep = { toolCalls: [{ name: 'look' }] };

/** Runs a script of one tool step and one answer within a budget: 10 tokens in and 5 out a reply. */
async function within(budget: RunBudget, script: readonly ScriptedStep[] = [CALLS, 'Done.']) {
  const look = counted('look');
  const model = new ScriptedModel(script);
  const agent = defineAgent({ name: 'helper', model, tools: [look.tool] });
  const messages = [{ role: 'user' as const, text: 'question' }];
  const events = await collect(runAgent({ agent, messages, caller: CALLER, budget }));
  expect(faultsOf(messages)).toEqual([]);
  return { events, requests: model.requests.length, runs: look.runs.length, messages };
}

const priced = (limit: number): RunBudget => ({
  cost: { limit, priceOf: ({ inputTokens = 0, outputTokens = 0 }) => inputTokens * 0.5 + outputTokens * 2 },
});

describe('a budget that is used up before the next model call', () => {
  it.each([
    ['requests', { requests: 1 }, 1, 1],
    ['input tokens', { inputTokens: 10 }, 10, 10],
    ['input tokens', { inputTokens: 4 }, 10, 4],
    ['output tokens', { outputTokens: 5 }, 5, 5],
    ['cost', priced(15), 15, 15],
  ] satisfies [string, RunBudget, number, number][])('ends the run: %s (%j)', async (what, budget, used, limit) => {
    const { events, requests, runs } = await within(budget);
    expect([requests, runs]).toEqual([1, 1]);
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject({
      code: 'agent_budget_exceeded',
      message: `The run has used up its budget of ${what}: ${used} of ${limit}.`,
      retryable: false,
    });
    expect(ofType(events, 'error')[0]?.cause).toMatchObject({ details: { budget: what, used, limit } });
    expect(doneOf(events)).toMatchObject({ outcome: 'budget_exceeded', answer: undefined, usage: { modelCalls: 1 } });
  });

  it.each([
    ['requests', { requests: 0 }],
    ['input tokens', { inputTokens: 0 }],
    ['output tokens', { outputTokens: 0 }],
    ['cost', priced(0)],
  ] satisfies [string, RunBudget][])('asks no model where there never was any: %s', async (_what, budget) => {
    const { events, requests } = await within(budget);
    expect(requests).toBe(0);
    expect(typesOf(events)).toEqual(['error', 'done']);
  });

  it.each([
    ['requests', { requests: 2 }],
    ['input tokens', { inputTokens: 11 }],
    ['output tokens', { outputTokens: 6 }],
    ['cost', priced(15.5)],
    ['tool calls', { toolCalls: 1 }],
    ['everything', {}],
  ] satisfies [string, RunBudget][])('lets the run go on where something is left: %s', async (_what, budget) => {
    const { events, requests } = await within(budget);
    expect(requests).toBe(2);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  });

  it('is asked of the price function by reply: its usage, and its model as the provider names it', async () => {
    const asked: unknown[] = [];
    const usage = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 5 };
    const priceOf = (...args: unknown[]): number => asked.push(args);
    await within({ cost: { limit: 100, priceOf } }, [
      { toolCalls: [{ name: 'look' }], usage, model: 'm-2026' },
      'Done.',
    ]);
    expect(asked).toEqual([[usage, 'm-2026']]);
  });

  it('counts a price that is no number as spent: nobody knows what a call would cost', async () => {
    const { events, requests } = await within({ cost: { limit: 100, priceOf: () => NaN } });
    expect(requests).toBe(1);
    expect(doneOf(events).outcome).toBe('budget_exceeded');
  });

  it('does not count tokens that the provider does not tell', async () => {
    const { events } = await within({ inputTokens: 1 }, [{ toolCalls: [{ name: 'look' }], usage: {} }, 'Done.']);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', usage: { inputTokens: 10, modelCalls: 2 } });
  });
});

describe('a budget of tool calls', () => {
  const many = (count: number): ScriptedStep => ({
    toolCalls: Array.from({ length: count }, (_, index) => ({ name: 'look', arguments: { index } })),
  });
  const resultsOf = async (budget: RunBudget, script: readonly ScriptedStep[]) => {
    const run = await within(budget, script);
    const results = ofType(run.events, 'tool_result').map(({ isError, content }) =>
      isError ? (content as { code: string }).code : 'ran',
    );
    return { ...run, results };
  };

  it('runs the calls of a step that are within it, and tells the model that the others did not run', async () => {
    const { results, runs, events } = await resultsOf({ toolCalls: 2 }, [many(3), 'Done.']);
    expect(results).toEqual(['ran', 'ran', 'tool_calls_exhausted']);
    expect(runs).toBe(2);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', usage: { toolCalls: 3 } });
  });

  it('is counted over the steps of a run, and stays used up', async () => {
    const { results, runs } = await resultsOf({ toolCalls: 2 }, [many(1), many(2), many(1), 'Done.']);
    expect(results).toEqual(['ran', 'ran', 'tool_calls_exhausted', 'tool_calls_exhausted']);
    expect(runs).toBe(2);
  });

  it('of nothing lets nothing run', async () => {
    const { results, runs } = await resultsOf({ toolCalls: 0 }, [many(2), 'Done.']);
    expect(results).toEqual(['tool_calls_exhausted', 'tool_calls_exhausted']);
    expect(runs).toBe(0);
  });

  it('that suffices lets everything run', async () => {
    const { results } = await resultsOf({ toolCalls: 3 }, [many(1), many(2), 'Done.']);
    expect(results).toEqual(['ran', 'ran', 'ran']);
  });
});

describe('what was used before a run went on elsewhere', () => {
  /** Leaves a run after its first tool result, and goes on with it in a second call of `runAgent`. */
  async function resumed(limits: RunLimitsOptions, second: readonly ScriptedStep[]) {
    const store = new InMemoryAgentStore();
    const look = counted('look');
    const agentOf = (script: readonly ScriptedStep[]) => {
      const model = new ScriptedModel(script);
      return { model, agent: defineAgent({ name: 'helper', model, tools: [look.tool] }) };
    };
    for await (const { type } of say(agentOf([CALLS]).agent, 'question', { store, ...limits } as never)) {
      if (type === 'tool_result') break;
    }
    const later = agentOf(second);
    const events = await collect(say(later.agent, undefined, { store, ...limits } as never));
    expect(journalFaults(await store.read('c-1'))).toEqual([]);
    return { events, runs: look.runs.length, requests: later.model.requests.length };
  }

  it.each([
    ['requests', { requests: 1 }],
    ['input tokens', { inputTokens: 10 }],
    ['output tokens', { outputTokens: 5 }],
    ['cost', priced(15)],
  ] satisfies [string, RunBudget][])('counts: %s', async (_what, budget) => {
    const { events, requests } = await resumed({ budget }, ['Done.']);
    expect(requests).toBe(0);
    expect(doneOf(events)).toMatchObject({ outcome: 'budget_exceeded', usage: { modelCalls: 1, toolCalls: 1 } });
  });

  it('counts: tool calls', async () => {
    const { events, runs } = await resumed({ budget: { toolCalls: 1 } }, [CALLS, 'Done.']);
    expect(ofType(events, 'tool_result')[0]?.content).toMatchObject({ code: 'tool_calls_exhausted' });
    expect(runs).toBe(1);
  });

  it('counts: steps', async () => {
    const { events, requests } = await resumed({ maxSteps: 1 }, ['Done.']);
    expect(requests).toBe(0);
    expect(doneOf(events).outcome).toBe('max_steps');
  });

  it('lets it go on where something is left', async () => {
    const { events } = await resumed({ budget: { requests: 2, inputTokens: 11, toolCalls: 1 }, maxSteps: 2 }, [
      'Done.',
    ]);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', usage: { modelCalls: 2, inputTokens: 20 } });
  });
});

describe('maxSteps', () => {
  const look = () => counted('look').tool;

  it('ends a run that calls tools in every step, with all results told', async () => {
    const { events, messages } = await ask([CALLS, CALLS], [look()], { maxSteps: 2 });
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'tool_call', 'tool_result', 'done']);
    expect(doneOf(events)).toMatchObject({ outcome: 'max_steps', answer: undefined, step: 2 });
    expect(messages.at(-1)?.role).toBe('tool');
    expect(faultsOf(messages)).toEqual([]);
  });

  it('lets a run answer in its last step', async () => {
    const { events } = await ask([CALLS, 'Done.'], [look()], { maxSteps: 2 });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  });

  it('is 8 unless it is given', async () => {
    const { events } = await ask(
      Array.from({ length: 8 }, () => CALLS),
      [look()],
    );
    expect(doneOf(events)).toMatchObject({ outcome: 'max_steps', usage: { modelCalls: 8 } });
  });

  it('with a closing answer asks once more, for words only', async () => {
    const { events, model, messages } = await ask([CALLS, 'So far: nothing.'], [look()], {
      maxSteps: 1,
      closingAnswer: true,
    });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, 'none']);
    expect(model.requests[1]?.tools).toHaveLength(1);
    expect(ofType(events, 'message').map(({ text }) => text)).toEqual(['So far: nothing.']);
    expect(doneOf(events)).toMatchObject({ outcome: 'max_steps', answer: undefined, usage: { modelCalls: 2 } });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', text: 'So far: nothing.', toolCalls: [] });
  });

  it.each([
    ['with words', { text: 'Once more:', toolCalls: [{ name: 'look' }] }, ['Once more:']],
    ['without words', { toolCalls: [{ name: 'look' }] }, []],
  ] satisfies [string, ScriptedStep, string[]][])(
    'runs no tool for a model that calls one all the same, %s',
    async (_how, last, said) => {
      const tool = counted('look');
      const { events, messages } = await ask([CALLS, last], [tool.tool], { maxSteps: 1, closingAnswer: true });
      expect(tool.runs).toHaveLength(1);
      expect(ofType(events, 'message').map(({ text }) => text)).toEqual(said);
      expect(doneOf(events).outcome).toBe('max_steps');
      expect(faultsOf(messages)).toEqual([]);
    },
  );

  it('asks for no closing answer that the budget does not allow', async () => {
    const { events } = await ask([CALLS], [look()], { maxSteps: 1, closingAnswer: true, budget: { requests: 1 } });
    expect(doneOf(events).outcome).toBe('budget_exceeded');
  });
});

describe('limits that are none', () => {
  const begin = (limits: unknown) => () =>
    runAgent({ model: new ScriptedModel([]), messages: [], caller: CALLER, ...(limits as RunLimitsOptions) });

  it.each([
    [{ maxSteps: 0 }, 'maxSteps'],
    [{ maxSteps: 1.5 }, 'maxSteps'],
    [{ maxSteps: '3' }, 'maxSteps'],
    [{ toolConcurrency: 0 }, 'toolConcurrency'],
    [{ maxHandoffs: -1 }, 'maxHandoffs'],
    [{ graceMs: -1 }, 'graceMs'],
    [{ leaseMs: 999 }, 'leaseMs'],
    [{ timeouts: { firstChunkMs: 0 } }, 'timeouts.firstChunkMs'],
    [{ timeouts: { betweenChunksMs: NaN } }, 'timeouts.betweenChunksMs'],
    [{ timeouts: { stepMs: Infinity } }, 'timeouts.stepMs'],
    [{ timeouts: { totalMs: 2 ** 31 } }, 'timeouts.totalMs'],
    [{ timeouts: { toolMs: -5 } }, 'timeouts.toolMs'],
    [{ budget: { requests: -1 } }, 'budget.requests'],
    [{ budget: { toolCalls: 0.5 } }, 'budget.toolCalls'],
    [{ budget: { inputTokens: NaN } }, 'budget.inputTokens'],
    [{ budget: { outputTokens: Infinity } }, 'budget.outputTokens'],
    [{ budget: { cost: { limit: NaN, priceOf: () => 1 } } }, 'budget.cost.limit'],
    [{ budget: { cost: { limit: 1 } } }, 'budget.cost.priceOf'],
  ])('are refused at once: %j', (limits, key) => {
    expect(begin(limits)).toThrow(`[agent_options_invalid] Agents: \`${key}\` must be`);
  });

  it('are told together', () => {
    expect(begin({ maxSteps: 0, budget: { requests: -1 } })).toThrow(/maxSteps[^]*budget\.requests/);
  });

  it('are not at fault at their ends', () => {
    expect(begin({ maxSteps: 1_000, maxHandoffs: 0, graceMs: 0, leaseMs: 1_000 })).not.toThrow();
    expect(begin({ timeouts: { toolMs: 1, totalMs: 2 ** 31 - 1 } })).not.toThrow();
    expect(begin({ budget: { requests: 0, toolCalls: 0, cost: { limit: 0, priceOf: () => 0 } } })).not.toThrow();
  });
});
