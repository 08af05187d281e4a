import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryAgentStore, type AgentModuleOptions, type AgentStore, type Model } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { personOf } from '../../approvals/support/people.js';
import { closeApplications } from '../../support/application.js';
import { eventually } from '../../support/eventually.js';
import { itemsOf, journalFaults, statesOf } from '../run/support/journal.js';
import { hangingModel } from '../run/support/paced.js';
import { counted } from '../run/support/running.js';
import { storeProxy } from '../run/support/store-proxy.js';
import { bootDesk, resolvePrincipal, type Desk, type DeskOptions } from './support/desk.js';

const ANN = personOf('Bearer ann') ?? { subject: '' };
/** Longer than any test lasts. */
const NEVER_MS = 600_000;
const CALL: ScriptedStep = { toolCalls: [{ name: 'book' }] };
const never = new Promise<never>(() => undefined);

describe('a replica that shuts down while it goes on with a run', () => {
  let store: AgentStore;

  const boot = (options: Partial<DeskOptions> & Pick<DeskOptions, 'model'>, agents: Partial<AgentModuleOptions> = {}) =>
    bootDesk('express', {
      store,
      ...options,
      agents: { resolvePrincipal, sweepIntervalMs: NEVER_MS, shutdownGraceMs: 100, graceMs: 300, ...agents },
    });
  /** A message that nobody is there to wait for the answer of. */
  const queue = async (): Promise<void> => {
    await store.open('c-1', ANN);
    const item = { type: 'queued_message', text: 'book', principal: ANN } as const;
    await store.append('c-1', { expectedSeq: 0, items: [item] });
  };
  /** How long it took, in milliseconds. */
  const closed = async (desk: Desk): Promise<number> => {
    const since = Date.now();
    await desk.app.close();
    return Date.now() - since;
  };
  const isOpen = async (): Promise<boolean> => (await store.find('c-1'))?.openRunId !== undefined;
  /** Another replica finds the run, and ends it. */
  const goneOn = async (...[options, agents]: Parameters<typeof boot>): Promise<unknown> => {
    const before = await store.read('c-1');
    await boot(options, agents);
    await eventually(async () => expect((await itemsOf(store)).at(-1)).toBe('run_ended'));
    const after = await store.read('c-1');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(journalFaults(after)).toEqual([]);
    return after.map(({ item }) => item).findLast((item) => item.type === 'assistant_message')?.text;
  };
  const toldOf = async (): Promise<unknown[]> =>
    (await store.read('c-1')).flatMap(({ item }) => (item.type === 'tool_result' ? [item.content] : []));

  const begin = (): void => void (store = new InMemoryAgentStore());
  afterEach(closeApplications);

  it('brings it to its end, where that comes in time', async () => {
    begin();
    const desk = await boot(
      { model: new ScriptedModel([{ text: 'Hello.', delayMs: 200 }]) },
      { shutdownGraceMs: 5_000 },
    );
    await queue();
    await eventually(async () => expect(await isOpen()).toBe(true));
    await closed(desk);
    expect(await itemsOf(store)).toEqual([
      ...['queued_message', 'run_started', 'user_message', 'assistant_message', 'run_ended'],
    ]);
  });

  it.each(['complete', 'stream'] as const)('leaves it to another one where the model is silent: %s', async (how) => {
    begin();
    const signals: (AbortSignal | undefined)[] = [];
    const hanging = hangingModel(how);
    const hear =
      <Result>(work: () => Result) =>
      ({ signal }: { readonly signal?: AbortSignal }): Result => {
        signals.push(signal);
        return work();
      };
    const model = {
      ...hanging,
      complete: hear(() => never),
      ...(hanging.stream && { stream: hear(() => hanging.stream?.({ messages: [], tools: [] })) }),
    } as Model;
    const desk = await boot({ model });
    await queue();
    await eventually(() => expect(signals).toHaveLength(1));
    expect(signals[0]?.aborted).toBe(false);
    expect(await closed(desk)).toBeLessThan(2_000);
    expect(signals[0]?.aborted).toBe(true);
    expect(await itemsOf(store)).toEqual(['queued_message', 'run_started', 'user_message']);
    expect(await goneOn({ model: new ScriptedModel(['Here.']) })).toBe('Here.');
  });

  it('lets tools that run end, and keeps what came of them', async () => {
    begin();
    const made = { execute: () => new Promise((resolve) => setTimeout(() => resolve('booked'), 250)) };
    const desk = await boot({ model: new ScriptedModel([CALL]), tools: [counted('book', made).tool] });
    await queue();
    await eventually(async () => expect(await statesOf(store)).toEqual({ call_1_1: 'executing' }));
    await closed(desk);
    expect(await statesOf(store)).toEqual({ call_1_1: 'succeeded' });
    expect(await isOpen()).toBe(true);
    const { tool, runs } = counted('book');
    expect(await goneOn({ model: new ScriptedModel(['Booked.']), tools: [tool] })).toBe('Booked.');
    expect([runs, await toldOf()]).toEqual([[], ['booked']]);
  });

  it.each([
    ['that may be repeated runs there again, under the same key', { idempotent: true }, 2, { ran: 'again' }],
    ['that may not be is unknown', {}, 1, { code: 'tool_outcome_unknown' }],
  ])('leaves a tool that does not listen: one %s', async (_what, annotations, runs, told) => {
    begin();
    const keys: unknown[] = [];
    const book = (result: () => unknown) =>
      counted('book', {
        annotations,
        execute: (_input, { caller }) => {
          keys.push(caller.idempotencyKey);
          return result();
        },
      }).tool;
    const desk = await boot({ model: new ScriptedModel([CALL]), tools: [book(() => never)] });
    await queue();
    await eventually(() => expect(keys).toHaveLength(1));
    expect(await closed(desk)).toBeLessThan(2_000);
    expect(await statesOf(store)).toEqual({ call_1_1: 'executing' });
    const tools = [book(() => ({ ran: 'again' }))];
    expect(await goneOn({ model: new ScriptedModel(['Well.']), tools })).toBe('Well.');
    expect(await toldOf()).toMatchObject([told]);
    expect(keys).toEqual(Array.from({ length: runs }, () => keys[0]));
  });

  it('leaves a call that waits for its turn as it is', async () => {
    begin();
    const script: ScriptedStep = { toolCalls: [{ name: 'book' }, { name: 'book' }] };
    const stuck = counted('book', { execute: () => never }).tool;
    const desk = await boot({ model: new ScriptedModel([script]), tools: [stuck] }, { toolConcurrency: 1 });
    await queue();
    await eventually(async () => expect(Object.values(await statesOf(store))).toEqual(['executing', 'ready']));
    await closed(desk);
    expect(Object.values(await statesOf(store))).toEqual(['executing', 'ready']);
    const { tool, runs } = counted('book');
    await goneOn({ model: new ScriptedModel(['Well.']), tools: [tool] });
    expect(runs).toHaveLength(1);
    expect(Object.values(await statesOf(store))).toEqual(['unknown', 'succeeded']);
  });

  it('does not wait for whoever resolves the person either, and begins nothing', async () => {
    begin();
    let asked = 0;
    const silent = () => {
      asked += 1;
      return never;
    };
    const desk = await boot({ model: new ScriptedModel([]) }, { resolvePrincipal: silent });
    await queue();
    await eventually(() => expect(asked).toBe(1));
    expect(await closed(desk)).toBeLessThan(2_000);
    expect(await itemsOf(store)).toEqual(['queued_message']);
    expect(await goneOn({ model: new ScriptedModel(['Here.']) })).toBe('Here.');
  });

  it('is not held up by a store that does not answer, and says which conversations are still held', async () => {
    begin();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const before = (method: string): unknown => method === 'append' && never;
    let isHanging = false;
    const proxy = storeProxy(store, { before: (method) => isHanging && before(method) }).store;
    const model = new ScriptedModel([{ text: 'Hello.', delayMs: 200 }]);
    const desk = await boot({ model, store: proxy }, { graceMs: 0 });
    await queue();
    await eventually(() => expect(model.requests).toHaveLength(1));
    isHanging = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await closed(desk)).toBeLessThan(5_000);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('could not be left in time: c-1')]]);
    warn.mockRestore();
  });

  it('cannot cancel what it has left, and another one can', async () => {
    begin();
    const stuck = counted('book', { execute: () => never }).tool;
    const desk = await boot({ model: new ScriptedModel([CALL]), tools: [stuck] }, { graceMs: 1_000 });
    await queue();
    await eventually(async () => expect(await statesOf(store)).toEqual({ call_1_1: 'executing' }));
    const closing = closed(desk);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await expect(desk.runner.cancel('c-1', ANN)).rejects.toMatchObject({ code: 'conversation_busy' });
    await closing;
    const other = await boot({ model: new ScriptedModel([]), tools: [stuck] }, { sweepIntervalMs: 0 });
    expect(await other.runner.cancel('c-1', ANN)).toBe(true);
    expect(await statesOf(store)).toEqual({ call_1_1: 'unknown' });
  });
});
