import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore, runAgent, toMessages } from 'nestjs-palette';
import type { AgentEvent, AgentOptions, FunctionTool, Model, RunAgentOptions } from 'nestjs-palette';
import { FakeClock, ScriptedModel, type ScriptedResponder, type ScriptedStep } from 'nestjs-palette/testing';
import { watchProcess, type ProcessWatch } from '../../support/process-watch.js';
import { approvalsOf, BOSS, decideAll } from './support/approvals.js';
import { faultsOf, itemsOf, journalFaults, statesOf } from './support/journal.js';
import { hangingModel } from './support/paced.js';
import { CALLER, collect, counted, doneOf, ofType, say, typesOf } from './support/running.js';
import { storeProxy } from './support/store-proxy.js';

let store: InMemoryAgentStore;
let controller: AbortController;
let watch: ProcessWatch;

beforeEach(() => {
  store = new InMemoryAgentStore();
  controller = new AbortController();
  watch = watchProcess();
});

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  watch.stop();
  expect([watch.warnings.filter((name) => name !== 'ExperimentalWarning'), watch.rejections]).toEqual([[], []]);
  if ((await store.find('c-1')) !== undefined) expect(journalFaults(await store.read('c-1'))).toEqual([]);
});

type Extra = NonNullable<Parameters<typeof say>[2]>;

const agentOf = (model: Model, ...tools: FunctionTool[]) => defineAgent({ name: 'helper', model, tools });

/** Runs, and aborts at the first event of a type. */
async function abortedAt(type: AgentEvent['type'], model: Model, tools: FunctionTool[] = [], extra: Extra = {}) {
  const events: AgentEvent[] = [];
  for await (const event of say(agentOf(model, ...tools), 'q', { store, signal: controller.signal, ...extra })) {
    events.push(event);
    if (event.type === type) controller.abort();
  }
  return events;
}

const CALL: ScriptedStep = { toolCalls: [{ name: 'look' }] };

describe('a run that is cancelled', () => {
  it('before it begins asks no model; what was said stays', async () => {
    const model = new ScriptedModel([]);
    const signal = AbortSignal.abort();
    const events = await collect(say(agentOf(model), 'q', { store, signal }));
    expect(typesOf(events)).toEqual(['done']);
    expect(doneOf(events)).toMatchObject({ outcome: 'cancelled', answer: undefined });
    expect(model.requests).toEqual([]);
    expect(await itemsOf(store)).toEqual(['run_started', 'user_message', 'run_ended']);
  });

  it('never is answered as ever', async () => {
    const events = await collect(say(agentOf(new ScriptedModel(['A.'])), 'q', { store, signal: controller.signal }));
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'A.' });
  });

  it('while the model speaks keeps nothing of what it was about to say', async () => {
    const model = new ScriptedModel([{ chunks: ['Half', ' of it'], delayMs: 5 }]);
    const events = await abortedAt('message_delta', model);
    expect(events.map(({ type }) => type)).toEqual(['message_delta', 'done']);
    expect(doneOf(events).outcome).toBe('cancelled');
    expect(await itemsOf(store)).toEqual(['run_started', 'user_message', 'run_ended']);
  });

  it.each(['complete', 'stream'] as const)('does not wait for a model that does not listen: %s', async (how) => {
    setTimeout(() => controller.abort(), 10);
    const events = await collect(say(agentOf(hangingModel(how)), 'q', { store, signal: controller.signal }));
    expect(typesOf(events)).toEqual(['done']);
    expect(doneOf(events).outcome).toBe('cancelled');
  });

  it('tells the model’s own signal, for `complete` as for `stream`', async () => {
    const seen: unknown[] = [];
    const model: Model = {
      ...hangingModel('complete'),
      complete: ({ signal }) => {
        setImmediate(() => controller.abort('enough'));
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => {
            seen.push(signal.reason);
            reject(new Error('stopped'));
          }),
        );
      },
    };
    const events = await collect(say(agentOf(model), 'q', { store, signal: controller.signal }));
    expect(seen).toEqual(['enough']);
    expect(doneOf(events).outcome).toBe('cancelled');
  });

  it('between two steps asks no model again', async () => {
    const model = new ScriptedModel([CALL]);
    const look = counted('look');
    const events = await abortedAt('tool_result', model, [look.tool]);
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'done']);
    expect([model.requests.length, look.runs.length]).toEqual([1, 1]);
  });

  it('before the calls of a reply began runs none, and says so', async () => {
    const look = counted('look');
    const script: ScriptedStep = { toolCalls: [{ name: 'look' }, { name: 'look' }] };
    const events = await abortedAt('tool_call', new ScriptedModel([script]), [look.tool]);
    expect(typesOf(events)).toEqual(['tool_call', 'tool_call', 'tool_result', 'tool_result', 'done']);
    expect(ofType(events, 'tool_result').map(({ content }) => content)).toMatchObject([
      { code: 'call_cancelled' },
      { code: 'call_cancelled' },
    ]);
    expect(look.runs).toEqual([]);
  });

  it('by the signal of the caller is cancelled the same', async () => {
    const model = new ScriptedModel([CALL]);
    const caller = { headers: {}, signal: controller.signal };
    const events: AgentEvent[] = [];
    for await (const event of say(agentOf(model, counted('look').tool), 'q', { store, caller })) {
      events.push(event);
      if (event.type === 'tool_result') controller.abort();
    }
    expect(doneOf(events).outcome).toBe('cancelled');
  });

  it('by either of two signals is cancelled the same', async () => {
    const caller = { headers: {}, signal: controller.signal };
    const signal = new AbortController().signal;
    setTimeout(() => controller.abort(), 10);
    const events = await collect(say(agentOf(hangingModel('stream')), 'q', { store, caller, signal }));
    expect(doneOf(events).outcome).toBe('cancelled');
  });

  it('leaves messages of the application valid, with the results that there are', async () => {
    const model = new ScriptedModel([CALL]);
    const messages: RunAgentOptions['messages'] = [{ role: 'user', text: 'q' }];
    const options = { agent: agentOf(model, counted('look').tool), messages, caller: CALLER };
    for await (const { type } of runAgent({ ...options, signal: controller.signal })) {
      if (type === 'tool_call') controller.abort();
    }
    expect(faultsOf(messages)).toEqual([]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('can be asked again', async () => {
    await abortedAt('tool_call', new ScriptedModel([CALL]), [counted('look').tool]);
    const model = new ScriptedModel(['Here I am.']);
    const events = await collect(say(agentOf(model, counted('look').tool), 'again', { store }));
    expect(doneOf(events).answer).toBe('Here I am.');
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });
});

describe('a run that is cancelled while tools run', () => {
  const asked = new Promise<void>(() => undefined);
  /** A tool that aborts the run as soon as it runs, and goes on with `after`. */
  const stopping = (after: (signal: AbortSignal) => unknown, options: { readOnly?: boolean } = {}) =>
    counted('look', {
      annotations: { readOnly: options.readOnly ?? false },
      execute: (_input, { caller }) => {
        controller.abort();
        return after(caller.signal as AbortSignal);
      },
    }).tool;
  const run = (tool: FunctionTool, extra: Extra = {}, script: ScriptedStep = CALL) =>
    collect(say(agentOf(new ScriptedModel([script]), tool), 'q', { store, signal: controller.signal, ...extra }));
  const contentsOf = (events: readonly AgentEvent[]) => ofType(events, 'tool_result').map(({ content }) => content);

  it('tells them, and knows nothing of what a call did that may not be repeated', async () => {
    const events = await run(stopping((signal) => Promise.reject(new Error(`aborted: ${signal.aborted}`))));
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'done']);
    expect(contentsOf(events)).toMatchObject([{ code: 'tool_outcome_unknown' }]);
    expect(await statesOf(store)).toEqual({ call_1_1: 'unknown' });
    expect(doneOf(events).outcome).toBe('cancelled');
  });

  it('tells them, and counts as cancelled a call that may be repeated: it may have done what it does', async () => {
    const events = await run(stopping(() => Promise.reject(new Error('stopped')), { readOnly: true }));
    expect(contentsOf(events)).toMatchObject([{ code: 'call_interrupted' }]);
    expect(await statesOf(store)).toEqual({ call_1_1: 'cancelled' });
  });

  it('keeps a result that comes within the time of grace', async () => {
    const events = await run(stopping(() => sleep(20, 'made it')));
    expect(contentsOf(events)).toEqual(['made it']);
    expect(await statesOf(store)).toEqual({ call_1_1: 'succeeded' });
    expect(doneOf(events).outcome).toBe('cancelled');
  });

  it.each([
    [true, 'cancelled', 'call_interrupted'],
    [false, 'unknown', 'tool_outcome_unknown'],
  ])('waits no longer than that (readOnly: %s)', async (readOnly, state, code) => {
    const clock = new FakeClock();
    store = new InMemoryAgentStore({ clock });
    const running = run(
      stopping(() => asked, { readOnly }),
      { clock, graceMs: 50 },
    );
    await clock.advance(49);
    expect(await statesOf(store)).toEqual({ call_1_1: 'executing' });
    await clock.advance(1);
    const events = await running;
    expect(doneOf(events).outcome).toBe('cancelled');
    expect(contentsOf(events)).toMatchObject([{ code }]);
    expect(await statesOf(store)).toEqual({ call_1_1: state });
    expect(clock.pending).toBe(0);
  });

  it.each([
    [true, 'cancelled', 'call_interrupted'],
    [false, 'unknown', 'tool_outcome_unknown'],
  ])('tells of one that a dead process was at that it may have run (readOnly: %s)', async (readOnly, state, code) => {
    const clock = new FakeClock();
    store = new InMemoryAgentStore({ clock });
    const { tool } = counted('look', { annotations: { readOnly }, execute: () => asked });
    const agent = agentOf(new ScriptedModel([CALL]), tool);
    const before = (method: string): unknown => method === 'renewRun' && Promise.reject(new Error('dead'));
    void collect(say(agent, 'q', { store: storeProxy(store, { before }).store, clock, leaseMs: 1_000 }));
    await clock.advance(1_001);
    const events = await collect(say(agent, undefined, { store, clock, signal: AbortSignal.abort() }));
    expect(contentsOf(events)).toMatchObject([{ code }]);
    expect(await statesOf(store)).toEqual({ call_1_1: state });
  });

  it('begins none of those that are still to come', async () => {
    const script: ScriptedStep = { toolCalls: [{ name: 'look' }, { name: 'look' }, { name: 'look' }] };
    const events = await run(
      stopping(() => 'one'),
      { toolConcurrency: 1 },
      script,
    );
    expect(contentsOf(events)).toMatchObject(['one', { code: 'call_cancelled' }, { code: 'call_cancelled' }]);
  });
});

describe('a run that is cancelled while it waits for a person', () => {
  const gated = () => counted('gated', { approval: 'It costs money.' });
  const script: ScriptedStep = { toolCalls: [{ name: 'gated' }, { name: 'look' }] };

  it('withdraws what it asked for, and runs nothing', async () => {
    const { tool, runs } = gated();
    // It watches while it waits.
    const before = (method: string): unknown => method === 'watch' && setImmediate(() => controller.abort());
    const watched = storeProxy(store, { before }).store;
    const extra = { store: watched, approvals: approvalsOf(watched), whenWaiting: 'wait' as const };
    const tools = [tool, counted('look').tool];
    const events = await abortedAt('error', new ScriptedModel([script]), tools, extra);
    expect(typesOf(events)).toEqual([
      ...['tool_call', 'tool_call', 'approval_request', 'approval_decision', 'tool_result', 'tool_result', 'done'],
    ]);
    expect(ofType(events, 'approval_decision')[0]?.outcome).toBe('cancelled');
    expect(runs).toEqual([]);
    expect(await statesOf(store)).toEqual({ call_1_1: 'cancelled', call_1_2: 'succeeded' });
    const [approval] = (await store.approvals({})).approvals;
    const { approvalId, argumentsHash } = approval as { approvalId: string; argumentsHash: string };
    const late = await store.decide({ approvalId, verdict: 'approve', by: BOSS, argumentsHash });
    expect(late.kind).toBe('conflict');
  });

  it('and is suspended is cancelled by the next call', async () => {
    const extra = { approvals: approvalsOf(store) };
    const agent = agentOf(new ScriptedModel([script]), gated().tool, counted('look').tool);
    expect(doneOf(await collect(say(agent, 'q', { store, ...extra }))).outcome).toBe('waiting');
    const signal = AbortSignal.abort();
    const events = await collect(say(agent, undefined, { store, signal, ...extra }));
    expect(typesOf(events)).toEqual(['approval_decision', 'tool_result', 'tool_result', 'done']);
    expect(doneOf(events).outcome).toBe('cancelled');
  });
});

describe('a signal that outlives many runs', () => {
  const listeners = (): number => getEventListeners(controller.signal, 'abort').length;
  const script: ScriptedStep[] = [{ toolCalls: [{ name: 'gated' }, { name: 'look' }] }, { chunks: ['Do', 'ne.'] }];
  const limited = { stepMs: 60_000, totalMs: 60_000, toolMs: 60_000, firstChunkMs: 60_000, betweenChunksMs: 60_000 };

  it.each([
    ['with limits', limited],
    ['without limits', {}],
  ])('is listened to while a run lasts, and by nobody afterwards, %s', async (_how, timeouts) => {
    let most = 0;
    const execute = (): unknown => (most = Math.max(most, listeners()));
    const tools = [counted('gated', { approval: 'It costs money.' }).tool, counted('look', { execute }).tool];
    const agent = agentOf(new ScriptedModel(script), ...tools);
    const extra = {
      store,
      approvals: approvalsOf(store),
      signal: controller.signal,
      timeouts,
      whenWaiting: 'wait' as const,
    };
    for await (const { type } of say(agent, 'q', extra)) {
      if (type === 'approval_request') setTimeout(() => void decideAll(store).catch(() => undefined), 1);
    }
    expect(most).toBeGreaterThan(0);
    expect(listeners()).toBe(0);
  });

  it('is listened to by nobody whose reader left', async () => {
    const agent = agentOf(new ScriptedModel([{ chunks: ['a', 'b'] }]));
    for await (const _event of say(agent, 'q', { store, signal: controller.signal, timeouts: limited })) break;
    expect(listeners()).toBe(0);
  });
});

describe('whoever stops reading', () => {
  /** Asks for what is gated, then hands over, then answers: by what was said, so that a second model goes on where one stopped. */
  const first: ScriptedResponder = ({ messages }) => {
    if (messages.at(-1)?.role === 'user') return { toolCalls: [{ name: 'look', arguments: {} }, { name: 'gated' }] };
    return { text: 'Over to you.', toolCalls: [{ name: 'transfer_to_other' }] };
  };
  const agents = () => {
    const look = counted('look');
    const gated = counted('gated', { approval: 'It costs money.' });
    const other = defineAgent({ name: 'other', model: new ScriptedModel(() => 'Done.') });
    const options: AgentOptions = {
      name: 'helper',
      model: new ScriptedModel(first),
      tools: [look.tool, gated.tool],
      handoffs: ['other'],
    };
    return { agent: defineAgent(options), others: [other], runs: () => [look.runs.length, gated.runs.length] };
  };
  const TYPES = [
    'tool_call',
    'approval_request',
    'approval_decision',
    'tool_result',
    'message_delta',
    'message',
    'handoff',
    'done',
  ] as const;

  it.each(TYPES)('at `%s` leaves the run as it is, and the next call goes on with it', async (type) => {
    const { agent, others, runs } = agents();
    const extra = { store, approvals: approvalsOf(store), agents: others, whenWaiting: 'wait' as const };
    let message: string | undefined = 'q';
    const seen: string[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      for await (const event of say(agent, message, extra as Extra)) {
        seen.push(event.type);
        if (event.type === 'approval_request') setTimeout(() => void decideAll(store).catch(() => undefined), 1);
        if (event.type === type && attempt === 0) break;
        // Nobody decides where the first reader left before it was asked.
        if (event.type === 'tool_result') expect(await itemsOf(store)).toContain('approval_decision');
      }
      expect(journalFaults(await store.read('c-1'))).toEqual([]);
      await decideAll(store).catch(() => undefined);
      if ((await itemsOf(store)).at(-1) === 'run_ended') break;
      message = undefined;
    }
    expect((await itemsOf(store)).at(-1)).toBe('run_ended');
    expect(seen.at(-1)).toBe('done');
    expect(runs()).toEqual([1, 1]);
    const messages = toMessages(await store.read('c-1'));
    expect(messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant'],
    ]);
    expect(faultsOf(messages)).toEqual([]);
    expect(await store.claimRun('c-1', 'anybody', 1_000)).toBeDefined();
  });

  it('ends the stream that it stopped reading from', async () => {
    const ended: string[] = [];
    async function* stream() {
      try {
        yield { type: 'text_delta' as const, text: 'a' };
        yield { type: 'text_delta' as const, text: 'b' };
      } finally {
        ended.push('stream');
      }
    }
    for await (const _event of say(agentOf({ ...hangingModel('complete'), stream }), 'q', { store })) break;
    await sleep(1);
    expect(ended).toEqual(['stream']);
  });

  it('loses no run to a message that comes later: it is given up for that, with every call answered', async () => {
    const look = counted('look');
    const agent = agentOf(new ScriptedModel([CALL, 'Now this.']), look.tool);
    for await (const { type } of say(agent, 'q', { store })) if (type === 'tool_call') break;
    const events = await collect(say(agent, 'another', { store }));
    expect(doneOf(events).answer).toBe('Now this.');
    expect(await statesOf(store)).toEqual({ call_1_1: 'superseded' });
    expect(look.runs).toEqual([]);
  });
});
