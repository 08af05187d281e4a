import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type AgentStore, type JournalItem } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { personOf } from '../../approvals/support/people.js';
import { done } from '../../approvals/support/refunds.js';
import { closeApplications } from '../../support/application.js';
import { catchError } from '../../support/catch-error.js';
import { eventually } from '../../support/eventually.js';
import { itemsOf, journalFaults } from '../run/support/journal.js';
import { collect, doneOf } from '../run/support/running.js';
import { storeProxy } from '../run/support/store-proxy.js';
import { bootDesk, resolvePrincipal, type Desk } from './support/desk.js';

const ANN = personOf('Bearer ann') ?? { subject: '' };
const PAY: ScriptedStep = { toolCalls: [{ name: 'refunds__pay', arguments: { order: 'o-1', amount: 10 } }] };
/** Longer than any test lasts. */
const NEVER_MS = 600_000;

/** A run that another replica drives, and what it does when a test wants. */
class Elsewhere {
  #claim: Awaited<ReturnType<AgentStore['claimRun']>>;

  constructor(private readonly store: AgentStore) {}

  async begin(): Promise<void> {
    await this.store.open('c-1', ANN);
    this.#claim = await this.store.claimRun('c-1', 'another replica', 60_000);
    await this.#append(started('theirs'), { type: 'user_message', runId: 'theirs', text: 'one' });
  }

  async queue(text: string): Promise<void> {
    await this.#write([{ type: 'queued_message', text, principal: ANN }], undefined);
  }

  async end(): Promise<void> {
    await this.#append({ type: 'run_ended', runId: 'theirs', outcome: 'completed', agent: 'desk' });
  }

  async beginNext(): Promise<void> {
    await this.#append(started('next'), { type: 'user_message', runId: 'next', text: 'two' });
  }

  async release(): Promise<void> {
    if (this.#claim !== undefined) await this.store.releaseRun(this.#claim);
  }

  #append(...items: JournalItem[]): Promise<void> {
    return this.#write(items, this.#claim?.fence);
  }

  async #write(items: readonly JournalItem[], fence: number | undefined): Promise<void> {
    const expectedSeq = (await this.store.find('c-1'))?.lastSeq ?? 0;
    const outcome = await this.store.append('c-1', { expectedSeq, items, fence });
    if (outcome.kind !== 'appended') throw new Error(`the write was ${outcome.kind}`);
  }
}

function started(runId: string): JournalItem {
  return { type: 'run_started', runId, agent: 'desk', principal: ANN };
}

describe('a cancel', () => {
  let store: InMemoryAgentStore;
  let elsewhere: Elsewhere;
  let model: ScriptedModel;
  /** What happens as soon as the cancel has looked which run is open. */
  let meanwhile: (() => Promise<void>) | undefined;

  beforeEach(() => {
    done.length = 0;
    store = new InMemoryAgentStore();
    elsewhere = new Elsewhere(store);
    meanwhile = undefined;
  });
  afterEach(async () => {
    await closeApplications();
    expect(journalFaults(await store.read('c-1'))).toEqual([]);
  });

  const boot = (script: readonly ScriptedStep[], agents: Parameters<typeof bootDesk>[1]['agents'] = {}) => {
    model = new ScriptedModel(script);
    const after = async (method: string): Promise<void> => {
      const [act] = [meanwhile];
      if (method !== 'find' || act === undefined) return;
      meanwhile = undefined;
      await act();
    };
    return bootDesk('express', { model, store: storeProxy(store, { after }).store, agents });
  };
  const cancel = (desk: Desk): Promise<boolean> => desk.runner.cancel('c-1', ANN);
  const answerOf = async (desk: Desk): Promise<unknown> => doneOf(await collect(desk.say(undefined))).answer;

  it('that meets the end of the run takes up no message that is queued behind it', async () => {
    const desk = await boot(['Two.']);
    await elsewhere.begin();
    await elsewhere.queue('two');
    meanwhile = async () => {
      await elsewhere.end();
      await elsewhere.release();
    };
    expect(await cancel(desk)).toBe(false);
    expect((await itemsOf(store)).at(-1)).toBe('run_ended');
    expect(await answerOf(desk)).toBe('Two.');
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: 'user', text: 'two' });
  });

  it('that meets the end of the run, with nothing queued, was too late', async () => {
    const desk = await boot([]);
    await elsewhere.begin();
    meanwhile = async () => {
      await elsewhere.end();
      await elsewhere.release();
    };
    expect(await cancel(desk)).toBe(false);
    expect(await itemsOf(store)).toEqual(['run_started', 'user_message', 'run_ended']);
  });

  it('leaves the next run alone, be it free or at work elsewhere', async () => {
    const desk = await boot(['Two.']);
    await elsewhere.begin();
    meanwhile = async () => {
      await elsewhere.end();
      await elsewhere.beginNext();
    };
    expect(await cancel(desk)).toBe(false);
    await elsewhere.release();
    expect((await store.find('c-1'))?.openRunId).toBe('next');
    expect(await answerOf(desk)).toBe('Two.');
  });

  it('of a run that is at work elsewhere finds it busy, and of one that nobody is at ends it', async () => {
    const desk = await boot([]);
    await elsewhere.begin();
    expect(await catchError(() => cancel(desk))).toMatchObject({ code: 'conversation_busy' });
    expect((await store.find('c-1'))?.openRunId).toBe('theirs');
    await elsewhere.release();
    expect(await cancel(desk)).toBe(true);
    expect((await store.read('c-1')).at(-1)?.item).toMatchObject({ type: 'run_ended', outcome: 'cancelled' });
    expect(await cancel(desk)).toBe(false);
  });

  it('that meets the end of a run here leaves the queued message alone that this process begins with next', async () => {
    const desk = await boot(['One.', { text: 'Two.', delayMs: 200 }], { resolvePrincipal, sweepIntervalMs: NEVER_MS });
    const running = desk.say('one');
    await running.next();
    await collect(desk.say('two', { onOpenRun: 'queue' }));
    meanwhile = async () => {
      await collect(running);
      await eventually(() => expect(model.requests).toHaveLength(2));
    };
    expect(await cancel(desk)).toBe(false);
    await eventually(async () =>
      expect((await store.read('c-1')).at(-1)?.item).toMatchObject({ outcome: 'completed' }),
    );
  });

  it('of a run that has just been claimed here waits until it is known which one it is', async () => {
    await elsewhere.begin();
    await elsewhere.release();
    let cancelled: Promise<boolean> | undefined;
    const before = async (method: string): Promise<void> => {
      if (method !== 'read' || cancelled !== undefined) return;
      cancelled = cancel(desk);
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const silent = new ScriptedModel([{ text: 'Never said.', delayMs: 60_000 }]);
    const desk = await bootDesk('express', { model: silent, store: storeProxy(store, { before }).store });
    expect(doneOf(await collect(desk.say(undefined))).outcome).toBe('cancelled');
    expect(await cancelled).toBe(true);
  });

  it('with no run open ends none that begins meanwhile', async () => {
    const desk = await boot([{ text: 'One.', delayMs: 100 }]);
    await store.open('c-1', ANN);
    let running: Promise<unknown[]> | undefined;
    meanwhile = async () => {
      running = collect(desk.say('one'));
      await eventually(() => expect(model.requests).toHaveLength(1));
    };
    expect(await cancel(desk)).toBe(false);
    expect((await running)?.at(-1)).toMatchObject({ outcome: 'completed', answer: 'One.' });
  });

  it('withdraws what waits, also of an agent that is not here any more', async () => {
    const desk = await boot([PAY]);
    await collect(desk.say('pay'));
    const later = await bootDesk('express', { model: new ScriptedModel([]), store, agentName: 'another' });
    expect(await cancel(later)).toBe(true);
    expect(await store.approvals({})).toMatchObject({ approvals: [{ state: 'cancelled' }] });
    expect((await store.find('c-1'))?.openRunId).toBeUndefined();
    expect(done).toEqual([]);
  });

  it('that the store fails is no success, and can be asked for again', async () => {
    const desk = await boot([PAY]);
    await collect(desk.say('pay'));
    const before = (method: string): unknown => method === 'append' && Promise.reject(new Error('the store is down'));
    const failing = await bootDesk('express', { model, store: storeProxy(store, { before }).store });
    await expect(cancel(failing)).rejects.toThrow('the store is down');
    expect((await store.find('c-1'))?.openRunId).toBeDefined();
    expect(await cancel(desk)).toBe(true);
  });
});
