import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalEvents, defineAgent, InMemoryAgentStore, runAgent, type AgentEvent } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { as, personOf } from '../../approvals/support/people.js';
import { done, hold } from '../../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { catchError } from '../../support/catch-error.js';
import { eventually } from '../../support/eventually.js';
import { ANN, CALLER, collect, counted, doneOf, ofType, say, typesOf } from '../run/support/running.js';
import { bootDesk, resolvePrincipal, type Desk, type DeskOptions } from './support/desk.js';

const PAY = { toolCalls: [{ name: 'refunds__pay', arguments: { order: 'o-1', amount: 10 } }] };
const BEN = personOf('Bearer ben') ?? { subject: '' };

describe.each(PLATFORMS)('a conversation, on %s', (platform) => {
  let model: ScriptedModel;
  let desk: Desk;

  const boot = async (script: readonly ScriptedStep[], options: Partial<DeskOptions> = {}): Promise<void> => {
    model = new ScriptedModel(script);
    desk = await bootDesk(platform, { model, ...options });
  };

  beforeEach(() => {
    done.length = 0;
  });
  afterEach(async () => {
    hold.until = undefined;
    await closeApplications();
  });

  it('remembers what was said', async () => {
    await boot(['Ann.', 'You said so.']);
    await collect(desk.say('who am I?'));
    await collect(desk.say('how do you know?'));
    expect(model.requests[1]?.messages).toEqual([
      { role: 'user', text: 'who am I?' },
      { role: 'assistant', text: 'Ann.', toolCalls: [] },
      { role: 'user', text: 'how do you know?' },
    ]);
  });

  it('is its owner’s: another finds none', async () => {
    await boot(['Hello.']);
    await collect(desk.say('hello'));
    const more = { principal: BEN, caller: as('ben') };
    const stop = AbortSignal.timeout(1_000);
    const unknown = { code: 'conversation_unknown' };
    expect(await catchError(() => collect(desk.say('hello', more)))).toMatchObject(unknown);
    expect(await catchError(() => desk.runner.messages('c-1', BEN))).toMatchObject(unknown);
    expect(await catchError(() => desk.runner.cancel('c-1', BEN))).toMatchObject(unknown);
    expect(await catchError(() => collect(desk.runner.watch('c-1', BEN, { signal: stop })))).toMatchObject(unknown);
    expect(await desk.runner.messages('c-1', personOf('Bearer ann') ?? BEN)).toHaveLength(2);
  });

  it('has nothing to answer without a message', async () => {
    await boot([]);
    expect(await catchError(() => collect(desk.say(undefined)))).toMatchObject({ code: 'agent_message_missing' });
  });

  it('begins with no agent that is not an entry', async () => {
    await boot(['Hello.']);
    expect(await catchError(() => desk.say('hello', { agent: 'nobody' }))).toMatchObject({ code: 'agent_unknown' });
    expect(doneOf(await collect(desk.say('hello', { agent: 'desk' }))).answer).toBe('Hello.');
  });

  describe('with a call that waits', () => {
    const waiting = async (script: readonly ScriptedStep[], options: Partial<DeskOptions> = {}): Promise<string> => {
      await boot([PAY, ...script], options);
      const events = await collect(desk.say('pay'));
      return ofType(events, 'approval_request')[0]?.approvalId ?? '';
    };

    it('gives it up for a new message, which is never taken for an approval', async () => {
      const approvalId = await waiting(['As you like.']);
      const events = await collect(desk.say('yes, approved, go on'));
      expect(typesOf(events)).toEqual(['message', 'done']);
      expect(await desk.store.approval(approvalId)).toMatchObject({ state: 'superseded' });
      expect(await desk.decide('ben', approvalId)).toBe(409);
      expect(model.requests[1]?.messages[2]).toMatchObject({ role: 'tool', content: { code: 'call_superseded' } });
      expect(done).toEqual([]);
    });

    it.each([[''], [' \n'], [{ text: 'hello' }], [['hello']], [5], [null]])(
      'is not given up for a message that says nothing, or is no text: %j',
      async (message) => {
        const approvalId = await waiting(['Paid.']);
        const before = await desk.store.read('c-1');
        const said = (): Promise<unknown> => collect(desk.say(message as string, { onOpenRun: 'supersede' }));
        expect(await catchError(said)).toMatchObject({ code: 'agent_message_invalid', status: 400 });
        expect(await desk.store.read('c-1')).toEqual(before);
        await desk.decide('ben', approvalId);
        expect(doneOf(await collect(desk.say(undefined))).answer).toBe('Paid.');
      },
    );

    it('answers a new message afterwards, where it is queued', async () => {
      const approvalId = await waiting(['Paid.', 'Tuesday.'], { agents: { resolvePrincipal } });
      const queued = await collect(desk.say('what day is it?', { onOpenRun: 'queue' }));
      expect(doneOf(queued)).toMatchObject({ outcome: 'waiting' });
      await desk.decide('ben', approvalId);
      await eventually(() => expect(model.requests).toHaveLength(3));
      await eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeUndefined());
      const messages = await desk.runner.messages('c-1', personOf('Bearer ann') ?? BEN, { includeTools: false });
      expect(messages.map((message) => ('text' in message ? message.text : ''))).toEqual([
        'pay',
        'Paid.',
        'what day is it?',
        'Tuesday.',
      ]);
    });

    it('refuses a new message, where that is asked for, and the call still waits', async () => {
      const approvalId = await waiting(['Paid.']);
      expect(await catchError(() => collect(desk.say('and?', { onOpenRun: 'reject' })))).toMatchObject({
        code: 'conversation_busy',
      });
      await desk.decide('ben', approvalId);
      expect(doneOf(await collect(desk.say(undefined))).answer).toBe('Paid.');
    });

    it('is cancelled: the call is withdrawn and the run is over', async () => {
      const approvalId = await waiting(['Next.']);
      const ann = personOf('Bearer ann') ?? BEN;
      expect(await desk.runner.cancel('c-1', ann)).toBe(true);
      expect(await desk.store.approval(approvalId)).toMatchObject({ state: 'cancelled' });
      expect(await desk.runner.cancel('c-1', ann)).toBe(false);
      expect(doneOf(await collect(desk.say('next'))).answer).toBe('Next.');
      expect(done).toEqual([]);
    });
  });

  it('is cancelled while the model is thinking', async () => {
    await boot([{ text: 'Never said.', delayMs: 60_000 }]);
    const running = collect(desk.say('think'));
    await eventually(() => expect(model.requests).toHaveLength(1));
    expect(await desk.runner.cancel('c-1', personOf('Bearer ann') ?? BEN)).toBe(true);
    expect(doneOf(await running).outcome).toBe('cancelled');
  });

  describe('while a run is at work', () => {
    let release: () => void;
    let running: Promise<AgentEvent[]>;

    beforeEach(async () => {
      hold.until = new Promise<void>((resolve) => (release = resolve));
      const look = { toolCalls: [{ name: 'refunds__look', arguments: { order: 'o-1' } }] };
      await boot([look, 'Found.', 'Next.'], { agents: { resolvePrincipal } });
      running = collect(desk.say('look'));
      await eventually(() => expect(done).toHaveLength(1));
    });

    it('is busy', async () => {
      expect(await catchError(() => collect(desk.say('and?')))).toMatchObject({ code: 'conversation_busy' });
      release();
      expect(doneOf(await running).answer).toBe('Found.');
    });

    it('queues a message, which is answered next', async () => {
      const queued = await collect(desk.say('and?', { onOpenRun: 'queue' }));
      expect(doneOf(queued).outcome).toBe('queued');
      release();
      expect(doneOf(await running).answer).toBe('Found.');
      await eventually(() => expect(model.requests).toHaveLength(3));
      expect(model.requests[2]?.messages.at(-1)).toEqual({ role: 'user', text: 'and?' });
    });

    it('is cancelled by whoever owns it, also once others have asked in vain', async () => {
      await collect(desk.say('and?', { onOpenRun: 'queue' }));
      const cancelled = desk.runner.cancel('c-1', personOf('Bearer ann') ?? BEN);
      release();
      expect(await cancelled).toBe(true);
      expect(doneOf(await running).outcome).toBe('cancelled');
    });
  });
});

describe.each(PLATFORMS)('whoever is told of approvals, on %s', (platform) => {
  afterEach(closeApplications);
  const ann = personOf('Bearer ann') ?? BEN;

  it.each([
    ['superseded', (desk: Desk) => collect(desk.say('leave it'))],
    ['cancelled', (desk: Desk) => desk.runner.cancel('c-1', ann)],
  ] as const)('hears that one is %s, once', async (state, act) => {
    const [told, model] = [[] as unknown[], new ScriptedModel([PAY, 'As you like.'])];
    const desk = await bootDesk(platform, { model });
    desk.app
      .get(ApprovalEvents)
      .add({ onDecided: (approval) => void told.push([approval.approvalId, approval.state]) });
    const [asked] = ofType(await collect(desk.say('pay')), 'approval_request');
    await act(desk);
    await eventually(() => expect(told).toEqual([[asked?.approvalId, state]]));
  });

  it('hears nothing of one that was approved, and whose call was given up before it ran', async () => {
    const [told, model] = [[] as string[], new ScriptedModel([PAY, 'As you like.'])];
    const desk = await bootDesk(platform, { model });
    desk.app.get(ApprovalEvents).add({ onDecided: ({ state }) => void told.push(state) });
    const [asked] = ofType(await collect(desk.say('pay')), 'approval_request');
    await desk.decide('ben', asked?.approvalId ?? '');
    await collect(desk.say('leave it'));
    expect(told).toEqual(['approved']);
    expect(await desk.store.calls('c-1')).toMatchObject([{ state: 'superseded' }]);
  });
});

describe.each(PLATFORMS)('a run whose model has not said anything yet, on %s', (platform) => {
  afterEach(closeApplications);
  const ann = personOf('Bearer ann') ?? BEN;

  it('is busy for a cancel at another replica, and goes on', async () => {
    const model = new ScriptedModel([{ text: 'Hello.', delayMs: 300 }]);
    const desk = await bootDesk(platform, { model });
    const replica = await bootDesk(platform, { model, store: desk.store });
    const running = collect(desk.say('hello'));
    await eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeDefined());
    expect(await catchError(() => replica.runner.cancel('c-1', ann))).toMatchObject({ code: 'conversation_busy' });
    expect(doneOf(await running).answer).toBe('Hello.');
  });

  it('is cancelled without the message that was queued behind it, which is answered next', async () => {
    const model = new ScriptedModel([{ text: 'Hello.', delayMs: 300 }, 'Next.']);
    const desk = await bootDesk(platform, { model });
    const running = collect(desk.say('hello'));
    await eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeDefined());
    await collect(desk.say('and?', { onOpenRun: 'queue' }));
    expect(await desk.runner.cancel('c-1', ann)).toBe(true);
    expect(doneOf(await running).outcome).toBe('cancelled');
    expect(doneOf(await collect(desk.say(undefined))).answer).toBe('Next.');
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'and?' });
  });
});

describe('a run in a store of the application', () => {
  it('reads a long conversation once, and then only what is new', async () => {
    const reads: number[] = [];
    class Counting extends InMemoryAgentStore {
      override async read(...args: Parameters<InMemoryAgentStore['read']>) {
        const entries = await super.read(...args);
        reads.push(entries.length);
        return entries;
      }
    }
    const store = new Counting();
    const { tool } = counted('look', { annotations: { readOnly: true } });
    const steps = Array.from({ length: 100 }, () => [{ toolCalls: [{ name: 'look' }] }, 'Seen.']).flat();
    const model = new ScriptedModel([...steps, { toolCalls: [{ name: 'look' }] }, 'Seen.']);
    const agent = defineAgent({ name: 'helper', model, tools: [tool] });
    for (let turn = 0; turn < 100; turn++) await collect(say(agent, `question ${turn}`, { store }));
    reads.length = 0;
    await collect(say(agent, 'one more', { store }));
    expect(reads).toEqual([600]);
  });

  it('is refused at once with a tool that needs an approval which nobody keeps, also behind a handoff', () => {
    const { tool, runs } = counted('pay', { approval: 'moves money' });
    const model = new ScriptedModel([]);
    const agent = defineAgent({ name: 'helper', model, tools: [tool] });
    const triage = defineAgent({ name: 'triage', model, handoffs: ['helper'] });
    const messages = [{ role: 'user' as const, text: 'pay' }];
    const told = 'Agent "helper" has the tool "pay", whose calls a person must approve, and nobody keeps approvals.';
    expect(() => say(agent, 'pay', { store: new InMemoryAgentStore() })).toThrow(told);
    expect(() => runAgent({ agent, messages, caller: CALLER })).toThrow(told);
    expect(() => runAgent({ agent: triage, agents: [agent], messages, caller: CALLER })).toThrow(told);
    expect([model.requests, runs]).toEqual([[], []]);
  });

  it('runs with a tool that nobody has to approve', async () => {
    const { tool, runs } = counted('pay');
    const agent = defineAgent({
      name: 'helper',
      model: new ScriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Paid.']),
      tools: [tool],
    });
    expect(doneOf(await collect(say(agent, 'pay', { store: new InMemoryAgentStore() }))).answer).toBe('Paid.');
    expect(runs).toHaveLength(1);
  });

  it('is found by its owner’s tenant only', async () => {
    const store = new InMemoryAgentStore();
    const agent = defineAgent({ name: 'helper', model: new ScriptedModel(['Hello.', 'Again.']) });
    await collect(say(agent, 'hello', { store }));
    const south = { store, principal: { ...ANN, tenant: 'south' } };
    expect(await catchError(() => collect(say(agent, 'hello', south)))).toMatchObject({
      code: 'conversation_unknown',
    });
    expect(doneOf(await collect(say(agent, 'hello', { store }))).answer).toBe('Again.');
  });
});
