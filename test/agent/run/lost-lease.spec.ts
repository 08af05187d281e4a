import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore } from 'nestjs-palette';
import type { AgentEvent, AgentStore, FunctionTool, Model, RunAgentOptions } from 'nestjs-palette';
import { FakeClock, ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { approvalsOf, decideAll, pendingOf } from './support/approvals.js';
import { itemsOf, journalFaults, statesOf } from './support/journal.js';
import { collect, counted, doneOf, say, typesOf } from './support/running.js';
import { storeProxy } from './support/store-proxy.js';

const LEASE_MS = 3_000;
const AFTER_LEASE_MS = 3_001;

let clock: FakeClock;
let inner: InMemoryAgentStore;
/** The way of a process whose renewals get lost, as those of one that is stopped for a while do. */
let stopped: AgentStore;

beforeEach(() => {
  clock = new FakeClock();
  inner = new InMemoryAgentStore({ clock });
  const before = (method: string): void => {
    if (method === 'renewRun' && isStopped) throw new Error('stopped');
  };
  let isStopped = true;
  stopped = storeProxy(inner, { before }).store;
  wake = () => void (isStopped = false);
});
let wake = (): void => undefined;

afterEach(async () => {
  expect(journalFaults(await inner.read('c-1'))).toEqual([]);
  expect(clock.pending).toBe(0);
});

function run(store: AgentStore, model: Model, tools: FunctionTool[], message?: string, extra: object = {}) {
  const agent = defineAgent({ name: 'helper', model, tools });
  const options = { store, clock, leaseMs: LEASE_MS, approvals: approvalsOf(store), ...extra };
  return collect(say(agent, message, options as Partial<RunAgentOptions> as never));
}

/** A tool that ends when a test says so. */
function held(options: object = {}) {
  let [end, fail] = [(_value: unknown): void => undefined, (_error: unknown): void => undefined];
  const ended = new Promise((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  const { tool } = counted('slow', { ...options, execute: () => ended });
  return { tool, end: (value: unknown) => end(value), fail: (error: unknown) => fail(error) };
}

const scripted = (...script: ScriptedStep[]): ScriptedModel => new ScriptedModel(script, { clock });
const CALL: ScriptedStep = { toolCalls: [{ name: 'slow' }] };

describe('a process that lost its claim while a tool ran', () => {
  /** The first process is stopped in its tool, the second one takes the run up and ends it, the first one wakes. */
  async function taken(wakes: (tool: ReturnType<typeof held>) => void) {
    const tool = held();
    const first = run(stopped, scripted(CALL), [tool.tool], 'q');
    await clock.advance(AFTER_LEASE_MS);
    const second = await run(inner, scripted('It may have happened.'), [counted('slow').tool]);
    const before = await itemsOf(inner);
    wake();
    wakes(tool);
    await clock.advance(1);
    return { first: await first, second, before };
  }

  it('writes nothing more, and tells what the other one wrote', async () => {
    const { first, second, before } = await taken(({ end }) => end('made it'));
    expect(await itemsOf(inner)).toEqual(before);
    expect(typesOf(second)).toEqual(['tool_result', 'message', 'done']);
    expect(typesOf(first)).toEqual(['tool_call', 'tool_result', 'message', 'done']);
    expect(first.slice(1)).toEqual(second.filter(({ type }) => type !== 'message_delta'));
    expect(await statesOf(inner)).toEqual({ call_1_1: 'unknown' });
  });

  it('writes nothing more where the tool fails either', async () => {
    const { first, second, before } = await taken(({ fail }) => fail(new Error('too late')));
    expect(await itemsOf(inner)).toEqual(before);
    expect(doneOf(first)).toEqual(doneOf(second));
  });

  it('is the one that ends it where it kept the claim', async () => {
    const tool = held();
    wake();
    const first = run(stopped, scripted(CALL, 'Done.'), [tool.tool], 'q');
    await clock.advance(AFTER_LEASE_MS);
    const other = run(inner, scripted(), [counted('slow').tool]);
    await expect(other).rejects.toMatchObject({ code: 'conversation_busy' });
    tool.end('made it');
    expect(doneOf(await first)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  });

  it('takes back nothing of what the other one waits for, be it cancelled', async () => {
    const tool = held();
    const gated = counted('gated', { approval: 'It costs money.' });
    const script: ScriptedStep = { toolCalls: [{ name: 'slow' }, { name: 'gated' }] };
    const controller = new AbortController();
    const signal = controller.signal;
    const first = run(stopped, scripted(script), [tool.tool, gated.tool], 'q', { signal });
    await clock.advance(AFTER_LEASE_MS);
    const tools = [counted('slow').tool, gated.tool];
    expect(doneOf(await run(inner, scripted(), tools)).outcome).toBe('waiting');
    wake();
    await inner.claimRun('c-1', 'a third one', LEASE_MS);
    controller.abort();
    tool.fail(new Error('told to end'));
    expect(doneOf(await first).outcome).toBe('interrupted');
    expect(await pendingOf(inner)).toHaveLength(1);
    expect(await statesOf(inner)).toEqual({ call_1_1: 'unknown', call_1_2: 'waiting' });
    await clock.advance(AFTER_LEASE_MS);
    await decideAll(inner);
    expect(doneOf(await run(inner, scripted('Done.'), tools)).answer).toBe('Done.');
    expect(gated.runs).toHaveLength(1);
  });

  it('goes on waiting with the other one, where that one only waits', async () => {
    const tool = held();
    const gated = counted('gated', { approval: 'It costs money.' });
    const script: ScriptedStep = { toolCalls: [{ name: 'slow' }, { name: 'gated' }] };
    const first = run(stopped, scripted(script), [tool.tool, gated.tool], 'q');
    await clock.advance(AFTER_LEASE_MS);
    const tools = [counted('slow').tool, gated.tool];
    await run(inner, scripted(), tools);
    wake();
    tool.fail(new Error('too late'));
    await clock.advance(2 * AFTER_LEASE_MS);
    expect(doneOf(await first).outcome).toBe('waiting');
    expect(await pendingOf(inner)).toHaveLength(1);
  });
});

describe('a process that lost its claim while the model spoke', () => {
  it('does not say it: what counts is what the other one was told', async () => {
    const first = run(stopped, scripted({ text: 'First.', delayMs: 5_000 }), [], 'q');
    await clock.advance(AFTER_LEASE_MS);
    const second = await run(inner, scripted('Second.'), []);
    wake();
    await clock.advance(10_000);
    const events = await first;
    expect(doneOf(second).answer).toBe('Second.');
    expect(doneOf(events)).toEqual(doneOf(second));
    expect((await itemsOf(inner)).filter((type) => type === 'assistant_message')).toHaveLength(1);
  });
});

describe('a process that follows another one', () => {
  /** The first process is stopped in its tool; a second one holds the run and does not go on. */
  async function following(signal?: AbortSignal) {
    const tool = held({ annotations: { readOnly: true } });
    const running = run(stopped, scripted(CALL, 'Done.'), [tool.tool], 'q', { signal });
    await clock.advance(AFTER_LEASE_MS);
    const claim = await inner.claimRun('c-1', 'the second one', LEASE_MS);
    expect(claim).toBeDefined();
    wake();
    tool.end('made it');
    await clock.advance(1);
    return running;
  }

  it('takes the run up where that one dies', async () => {
    const running = following();
    await clock.advance(4 * LEASE_MS);
    expect(doneOf(await running)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
    expect(await statesOf(inner)).toEqual({ call_1_1: 'succeeded' });
  });

  it('says that it left when it is cancelled, and leaves the run to that one', async () => {
    const controller = new AbortController();
    const running = following(controller.signal);
    await clock.advance(AFTER_LEASE_MS + 10);
    controller.abort();
    const events: AgentEvent[] = await running;
    expect(doneOf(events).outcome).toBe('interrupted');
    expect((await itemsOf(inner)).at(-1)).toBe('assistant_message');
    await clock.advance(AFTER_LEASE_MS);
    expect(doneOf(await run(inner, scripted('Done.'), [counted('slow').tool])).outcome).toBe('completed');
  });
});

describe('a process that loses its claim before it said anything', () => {
  const losing = (onOpenRun: 'supersede' | 'queue') => {
    const model = new ScriptedModel(['Never asked.']);
    let isTaken = false;
    const before = async (method: string): Promise<void> => {
      if (method === 'renewRun') throw new Error('stopped');
      if (method !== 'append' || isTaken) return;
      isTaken = true;
      await clock.advance(AFTER_LEASE_MS);
      await inner.claimRun('c-1', 'somebody else', LEASE_MS);
    };
    return run(storeProxy(inner, { before }).store, model, [], 'q', { onOpenRun });
  };

  it('finds the conversation busy', async () => {
    await expect(losing('supersede')).rejects.toMatchObject({ code: 'conversation_busy' });
    expect(await itemsOf(inner)).toEqual([]);
  });

  it('leaves its message to whoever holds it, where it may be queued', async () => {
    const events = await losing('queue');
    expect(doneOf(events).outcome).toBe('queued');
    expect(await itemsOf(inner)).toEqual(['queued_message']);
    await clock.advance(AFTER_LEASE_MS);
    expect(doneOf(await run(inner, scripted('Here.'), [])).answer).toBe('Here.');
  });
});
