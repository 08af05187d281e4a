import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore, type AgentOptions, type FunctionTool, type Model } from 'nestjs-palette';
import { FakeClock, ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { watchProcess, type ProcessWatch } from '../../support/process-watch.js';
import { approvalsOf, decideAll } from './support/approvals.js';
import { journalFaults, statesOf } from './support/journal.js';
import { hangingModel, pacedModel, replyOf } from './support/paced.js';
import { collect, counted, doneOf, ofType, say, typesOf } from './support/running.js';

let clock: FakeClock;
let store: InMemoryAgentStore;
let watch: ProcessWatch;

beforeEach(() => {
  clock = new FakeClock();
  store = new InMemoryAgentStore({ clock });
  watch = watchProcess();
});

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  watch.stop();
  expect([watch.warnings.filter((name) => name !== 'ExperimentalWarning'), watch.rejections]).toEqual([[], []]);
  expect(clock.pending).toBe(0);
  expect(journalFaults(await store.read('c-1'))).toEqual([]);
});

type Extra = NonNullable<Parameters<typeof say>[2]>;

/** Runs to the end while the clock goes on for `ms`. */
async function run(model: Model, ms: number, extra: Extra = {}, options: Partial<AgentOptions> = {}) {
  const agent = defineAgent({ name: 'helper', model, ...options });
  const running = collect(say(agent, 'question', { store, clock, ...extra }));
  await clock.advance(ms);
  return running;
}

const scripted = (...script: ScriptedStep[]): ScriptedModel => new ScriptedModel(script, { clock });

/** A tool that takes its time, and ends early where it is told to and `listens`. */
function slow(ms: number, options: { readOnly?: boolean; timeoutMs?: number; listens?: boolean } = {}): FunctionTool {
  const { readOnly = false, timeoutMs, listens = false } = options;
  return counted('slow', {
    annotations: { readOnly },
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (_input, { caller }) =>
      new Promise((resolve, reject) => {
        const takeBack = clock.after(ms, () => resolve('made it'));
        if (!listens) return;
        caller.signal?.addEventListener('abort', () => {
          takeBack();
          reject(new Error('it was told to end'));
        });
      }),
  }).tool;
}

const CALL: ScriptedStep = { toolCalls: [{ name: 'slow' }] };
const timedOut = (what: string, ms: number) => ({
  code: 'agent_timed_out',
  message: `The run took longer than ${what} may: ${ms} ms.`,
  retryable: true,
});

describe('the time until the first sign of a reply', () => {
  const timeouts = { firstChunkMs: 100 };

  it('ends the run when it is over', async () => {
    const events = await run(pacedModel(clock, [[101, 'late']]), 101, { timeouts });
    expect(typesOf(events)).toEqual(['error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject(timedOut('the first sign of a reply', 100));
    expect(doneOf(events).outcome).toBe('failed');
  });

  it('is not over when something came in time, be it a thought', async () => {
    expect(doneOf(await run(pacedModel(clock, [[99, 'in time']]), 99, { timeouts }))).toMatchObject({
      answer: 'in time',
    });
    const thinking = scripted({ reasoning: 'Hm.', text: 'Yes.', delayMs: 99 });
    expect(doneOf(await run(thinking, 300, { timeouts }))).toMatchObject({ answer: 'Yes.' });
  });

  it('says nothing of what comes later', async () => {
    const events = await run(
      pacedModel(
        clock,
        [
          [10, 'a'],
          [5_000, 'b'],
        ],
        5_000,
      ),
      10_010,
      { timeouts },
    );
    expect(doneOf(events)).toMatchObject({ answer: 'ab' });
  });

  it('says nothing of a model that does not stream', async () => {
    const model = { name: 'whole', provider: 'test', complete: () => later(500, () => replyOf('whole')) };
    expect(doneOf(await run(model, 500, { timeouts }))).toMatchObject({ answer: 'whole' });
  });

  it('is what the run failed of, also where the model says it in words of its own', async () => {
    const listening = (signal: AbortSignal | undefined): Promise<never> =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new TypeError('terminated'))));
    const model: Model = {
      ...hangingModel('complete'),
      stream: ({ signal }) => ({ [Symbol.asyncIterator]: () => ({ next: () => listening(signal) }) }),
    };
    expect(ofType(await run(model, 100, { timeouts }), 'error')[0]).toMatchObject({ code: 'agent_timed_out' });
  });
});

describe('the time between two pieces of a reply', () => {
  const timeouts = { betweenChunksMs: 100 };

  it('ends the run when it is over, between two pieces and before the end', async () => {
    const between = await run(
      pacedModel(clock, [
        [0, 'a'],
        [101, 'b'],
      ]),
      101,
      { timeouts },
    );
    expect(between.map(({ type }) => type)).toEqual(['message_delta', 'error', 'done']);
    expect(ofType(between, 'error')[0]).toMatchObject(timedOut('the time between two pieces of a reply', 100));
    const before = await run(pacedModel(clock, [[0, 'a']], 101), 101, { timeouts });
    expect(ofType(before, 'error')[0]).toMatchObject({ code: 'agent_timed_out' });
  });

  it('begins anew with each piece, and says nothing of the first one', async () => {
    const events = await run(
      pacedModel(
        clock,
        [
          [5_000, 'a'],
          [99, 'b'],
          [99, 'c'],
        ],
        99,
      ),
      5_297,
      { timeouts },
    );
    expect(doneOf(events)).toMatchObject({ answer: 'abc' });
  });

  it('does not pass while the reader is at a piece', async () => {
    const agent = defineAgent({
      name: 'helper',
      model: pacedModel(clock, [
        [0, 'a'],
        [0, 'b'],
      ]),
    });
    const types: string[] = [];
    for await (const { type } of say(agent, 'question', { store, clock, timeouts })) {
      types.push(type);
      await clock.advance(5_000);
    }
    expect(types).toEqual(['message_delta', 'message_delta', 'message', 'done']);
  });
});

describe('the time of a step', () => {
  const timeouts = { stepMs: 100 };
  const model = (): ScriptedModel => scripted({ toolCalls: [{ name: 'slow' }], delayMs: 50 }, 'Done.');

  it('ends the run when reply and calls are over it together', async () => {
    const events = await run(model(), 5_100, { timeouts }, { tools: [slow(51)] });
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject(timedOut('one step', 100));
  });

  it('is not over where they are in time, and begins anew with each step', async () => {
    const twice = scripted(...[1, 2].map(() => ({ toolCalls: [{ name: 'slow' }], delayMs: 50 })), 'Done.');
    const events = await run(twice, 200, { timeouts }, { tools: [slow(49)] });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  });

  it.each(['complete', 'stream'] as const)('is over for a model that hangs and does not listen: %s', async (how) => {
    const events = await run(hangingModel(how), 100, { timeouts });
    expect(ofType(events, 'error')[0]).toMatchObject(timedOut('one step', 100));
  });

  const never = () => new Promise<never>(() => undefined);
  it.each([
    ['the system prompt', scriptedNow('Done.'), { system: never }],
    ['whether a call needs an approval', scriptedNow(CALL), { tools: [counted('slow', { approval: never }).tool] }],
  ])('is over for what the application hangs in: %s', async (_what, model, options) => {
    const events = await run(model, 100, { timeouts, approvals: approvalsOf(store) }, options);
    expect(ofType(events, 'error')[0]).toMatchObject(timedOut('one step', 100));
  });
});

describe('the time of a run', () => {
  const timeouts = { totalMs: 100 };
  const steps = (delayMs: number): ScriptedModel =>
    scripted({ toolCalls: [{ name: 'quick' }], delayMs }, { text: 'Done.', delayMs: delayMs / 2 });
  const tools = () => [counted('quick').tool];

  it('ends the run when all steps are over it together', async () => {
    const events = await run(steps(52), 104, { timeouts }, { tools: tools() });
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject(timedOut('the whole run', 100));
  });

  it('is not over for a run that is in time', async () => {
    expect(doneOf(await run(steps(49), 98, { timeouts }, { tools: tools() })).outcome).toBe('completed');
  });
});

describe('the time of a call', () => {
  const timeouts = { toolMs: 100 };
  const contentOf = async (tool: FunctionTool, ms: number, extra: Extra = { timeouts }) => {
    const events = await run(scripted(CALL, 'Done.'), ms, extra, { tools: [tool] });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
    return ofType(events, 'tool_result')[0]?.content;
  };

  it('is told to the model when it is over, and the run goes on: a call that may be repeated was stopped', async () => {
    const content = await contentOf(slow(101, { readOnly: true, listens: true }), 101);
    expect(content).toEqual({
      code: 'tool_timed_out',
      message: 'The tool took longer than 100 ms and was stopped.',
    });
    expect(await statesOf(store)).toEqual({ call_1_1: 'failed' });
  });

  it('leaves nobody knowing whether any other call happened', async () => {
    expect(await contentOf(slow(101, { listens: true }), 101)).toMatchObject({ code: 'tool_outcome_unknown' });
    expect(await statesOf(store)).toEqual({ call_1_1: 'unknown' });
    expect(await store.unknownCalls(10)).toHaveLength(1);
  });

  it.each([{ readOnly: true }, { readOnly: false }])('says nothing of a call that is in time: %j', async (options) => {
    expect(await contentOf(slow(99, { ...options, listens: true }), 99)).toBe('made it');
  });

  it('is the tool’s own where it has one, be it shorter or longer', async () => {
    expect(await contentOf(slow(60, { readOnly: true, listens: true, timeoutMs: 50 }), 60)).toMatchObject({
      code: 'tool_timed_out',
      message: 'The tool took longer than 50 ms and was stopped.',
    });
  });

  it('is the tool’s own where that is longer', async () => {
    expect(await contentOf(slow(140, { listens: true, timeoutMs: 150 }), 140)).toBe('made it');
    expect(await statesOf(store)).toEqual({ call_1_1: 'succeeded' });
  });

  it('is followed by a time of grace, in which a result still counts', async () => {
    expect(await contentOf(slow(149), 149, { timeouts, graceMs: 50 })).toBe('made it');
  });

  it('is followed by no more than that for a tool that does not listen', async () => {
    const events: string[] = [];
    const agent = defineAgent({ name: 'helper', model: scripted(CALL, 'Done.'), tools: [slow(10_000)] });
    const running = (async () => {
      for await (const { type } of say(agent, 'question', { store, clock, timeouts, graceMs: 50 })) events.push(type);
    })();
    await clock.advance(149);
    expect(events).toEqual(['tool_call']);
    await clock.advance(1);
    await running;
    expect(events).toEqual(['tool_call', 'tool_result', 'message_delta', 'message', 'done']);
    expect(await statesOf(store)).toEqual({ call_1_1: 'unknown' });
    await clock.advance(10_000);
    expect(await statesOf(store)).toEqual({ call_1_1: 'unknown' });
  });

  it('is each call’s own where several run side by side', async () => {
    const twice: ScriptedStep = { toolCalls: [{ name: 'slow' }, { name: 'quick' }] };
    const tools = [slow(500, { readOnly: true, listens: true }), counted('quick').tool];
    const events = await run(scripted(twice, 'Done.'), 100, { timeouts }, { tools });
    expect(ofType(events, 'tool_result').map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['slow', true],
      ['quick', false],
    ]);
  });
});

describe('while a long step runs', () => {
  it('the claim is renewed, so that nobody else takes the run up', async () => {
    const agent = defineAgent({ name: 'helper', model: scripted(CALL, 'Done.'), tools: [slow(60_000)] });
    const running = collect(say(agent, 'question', { store, clock, leaseMs: 3_000 }));
    for (let second = 0; second < 59; second++) {
      await clock.advance(1_000);
      expect(await store.claimRun('c-1', 'somebody else', 1_000)).toBeUndefined();
    }
    await clock.advance(1_000);
    expect(doneOf(await running).outcome).toBe('completed');
    const claim = await store.claimRun('c-1', 'somebody else', 1_000);
    expect(claim).toBeDefined();
  });
});

describe('time that is spent waiting for a person', () => {
  it('counts for no limit', async () => {
    const tool = counted('gated', { approval: 'It costs money.' });
    const agent = defineAgent({
      name: 'helper',
      model: scripted({ toolCalls: [{ name: 'gated' }] }, { text: 'Done.', delayMs: 45 }),
      tools: [tool.tool],
    });
    const approvals = approvalsOf(store);
    const timeouts = { stepMs: 100, totalMs: 100, toolMs: 100 };
    const running = collect(say(agent, 'question', { approvals, clock, timeouts, whenWaiting: 'wait' }));
    await clock.advance(3_600_000);
    expect(clock.pending).toBe(0);
    await decideAll(store);
    await clock.advance(90);
    const events = await running;
    expect(typesOf(events)).toEqual([
      'tool_call',
      'approval_request',
      'approval_decision',
      'tool_result',
      'message',
      'done',
    ]);
    expect(doneOf(events).outcome).toBe('completed');
    expect(tool.runs).toHaveLength(1);
  });
});

function scriptedNow(...script: ScriptedStep[]): ScriptedModel {
  return new ScriptedModel(script);
}

function later<T>(ms: number, value: () => T): Promise<T> {
  return new Promise((resolve) => void clock.after(ms, () => resolve(value())));
}
