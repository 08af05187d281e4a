import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AgentEvent, type AgentStore, type CallerContext } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { disabled, personOf } from '../../approvals/support/people.js';
import { done, hold } from '../../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { eventually } from '../../support/eventually.js';
import { collect, counted, doneOf, ofType, typesOf } from '../run/support/running.js';
import { bootDesk, resolvePrincipal, type Desk, type DeskOptions } from './support/desk.js';

const REFUND = { order: 'o-1', amount: 10 };
const PAY = { toolCalls: [{ name: 'refunds__pay', arguments: REFUND }] };
const ANN = personOf('Bearer ann') ?? { subject: '' };

describe.each(PLATFORMS)('a gated call of an agent, on %s', (platform) => {
  let model: ScriptedModel;
  let desk: Desk;

  const boot = async (script: readonly ScriptedStep[], options: Partial<DeskOptions> = {}): Promise<Desk> => {
    model = new ScriptedModel(script);
    desk = await bootDesk(platform, { model, ...options });
    return desk;
  };
  /** Another replica, or the same after a restart, with a model that says what is left of the script. */
  const another = (store: AgentStore, options: Partial<DeskOptions> = {}): Promise<Desk> =>
    bootDesk(platform, { model, store, ...options });
  const approvalOf = (events: readonly AgentEvent[]): string =>
    ofType(events, 'approval_request')[0]?.approvalId ?? 'none';

  beforeEach(() => {
    done.length = 0;
  });
  afterEach(async () => {
    hold.until = undefined;
    hold.fail = false;
    disabled.clear();
    await closeApplications();
  });

  it('is told in order: call, request, decision, result, message, done', async () => {
    await boot([PAY, 'Paid.']);
    const events: AgentEvent[] = [];
    for await (const event of desk.say('pay', { whenWaiting: 'wait' })) {
      events.push(event);
      if (event.type !== 'approval_request') continue;
      expect(done).toEqual([]);
      expect(await desk.decide('ben', event.approvalId)).toBe(200);
    }
    expect(typesOf(events)).toEqual([
      'tool_call',
      'approval_request',
      'approval_decision',
      'tool_result',
      'message',
      'done',
    ]);
    expect(ofType(events, 'approval_request')[0]).toMatchObject({ toolName: 'refunds__pay', reason: 'moves money' });
    expect(ofType(events, 'approval_decision')[0]).toMatchObject({ outcome: 'approved', by: { subject: 'ben' } });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
    expect(done).toMatchObject([{ what: 'pay', input: REFUND }]);
    model.assertComplete();
  });

  it('suspends the run, which goes on when it is asked for after the decision', async () => {
    await boot([PAY, 'Paid.']);
    const first = await collect(desk.say('pay'));
    expect(typesOf(first)).toEqual(['tool_call', 'approval_request', 'done']);
    expect(doneOf(first)).toMatchObject({ outcome: 'waiting', pendingApprovals: [approvalOf(first)] });
    expect(doneOf(await collect(desk.say(undefined))).outcome).toBe('waiting');
    await desk.decide('ben', approvalOf(first));
    const rest = await collect(desk.say(undefined));
    expect(typesOf(rest)).toEqual(['tool_result', 'message', 'done']);
    expect(done).toHaveLength(1);
  });

  it('goes on by itself after the decision, on behalf of whoever asked, on whatever replica decided', async () => {
    await boot([PAY, 'Paid.'], { agents: { resolvePrincipal } });
    const first = await collect(desk.say('pay'));
    const replica = await another(desk.store, { agents: { resolvePrincipal, sweepIntervalMs: 60_000 } });
    await replica.decide('ben', approvalOf(first));
    await eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeUndefined());
    expect(done).toMatchObject([{ what: 'pay', input: REFUND }]);
    const stop = new AbortController();
    const seen: AgentEvent[] = [];
    for await (const event of replica.runner.watch('c-1', ANN, { signal: stop.signal })) {
      seen.push(event);
      if (event.type === 'done') stop.abort();
    }
    expect(typesOf(seen)).toEqual([
      'tool_call',
      'approval_request',
      'approval_decision',
      'tool_result',
      'message',
      'done',
    ]);
    expect((await replica.runner.messages('c-1', ANN)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  it('runs once, however many replicas are there to run it', async () => {
    await boot([PAY, 'Paid.'], { agents: { resolvePrincipal } });
    const first = await collect(desk.say('pay'));
    const replicas = await Promise.all(
      [1, 2, 3].map(() => another(desk.store, { agents: { resolvePrincipal, sweepIntervalMs: 5 } })),
    );
    await Promise.all(replicas.map((replica) => replica.decide('ben', approvalOf(first))));
    await eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeUndefined());
    expect(done).toHaveLength(1);
    model.assertComplete();
  });

  it('survives a restart: decided by another process, it runs there, once', async () => {
    await boot([PAY, 'Paid.']);
    const first = await collect(desk.say('pay'));
    await closeApplications();
    const after = await another(desk.store);
    expect(await after.pending()).toHaveLength(1);
    await after.decide('ben', approvalOf(first));
    expect(doneOf(await collect(after.say(undefined)))).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
    expect(done).toHaveLength(1);
  });

  it('that is denied is not run, and the model is told by whose word it was not', async () => {
    await boot([PAY, 'I may not.']);
    const first = await collect(desk.say('pay'));
    await desk.decide('ben', approvalOf(first), { verdict: 'deny', comment: 'too much' });
    const rest = await collect(desk.say(undefined));
    expect(ofType(rest, 'tool_result')[0]).toMatchObject({
      isError: true,
      content: { code: 'approval_denied', details: { comment: 'too much' } },
    });
    expect(doneOf(rest).answer).toBe('I may not.');
    expect(done).toEqual([]);
  });

  it('runs with the arguments that a person changed, and the model is told so', async () => {
    await boot([PAY, 'Five.']);
    const first = await collect(desk.say('pay'));
    const five = { ...REFUND, amount: 5 };
    expect(await desk.decide('ben', approvalOf(first), { arguments: { ...five, amount: -1 } })).toBe(400);
    expect(await desk.decide('ben', approvalOf(first), { arguments: five })).toBe(200);
    const rest = await collect(desk.say(undefined));
    expect(done).toMatchObject([{ input: five }]);
    expect(ofType(rest, 'tool_result')[0]?.content).toMatchObject({
      notice: 'A person changed the arguments before approving. This is what ran, and what came of it.',
      arguments: five,
    });
  });

  it('of a person who was disabled meanwhile is refused by the guard, and the model is told', async () => {
    await boot([PAY, 'No.']);
    const first = await collect(desk.say('pay'));
    await desk.decide('ben', approvalOf(first));
    disabled.add('ann');
    const rest = await collect(desk.say(undefined));
    expect(ofType(rest, 'tool_result')[0]).toMatchObject({ isError: true, content: { code: 'forbidden' } });
    expect(done).toEqual([]);
  });

  it('runs as the person is by then, also for a reader who waits with the token of before', async () => {
    const asked: unknown[] = [];
    await boot([PAY, 'Paid.'], {
      agents: { sweepIntervalMs: 0, resolvePrincipal: (person) => (asked.push(person), resolvePrincipal(person)) },
    });
    const events: AgentEvent[] = [];
    const expired = { headers: { authorization: 'Bearer of-yesterday' } };
    for await (const event of desk.say('pay', { whenWaiting: 'wait', caller: expired })) {
      events.push(event);
      // By then the run waits.
      if (event.type === 'approval_request') setTimeout(() => void desk.decide('ben', event.approvalId), 50);
    }
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
    expect(asked).toMatchObject([{ subject: 'ann' }]);
    expect(done).toHaveLength(1);
  });

  it('of a person whom nobody resolves any more ends the run, and is not run', async () => {
    await boot([PAY], { agents: { resolvePrincipal: () => undefined } });
    const first = await collect(desk.say('pay'));
    await desk.decide('ben', approvalOf(first));
    await eventually(async () => expect((await desk.store.find('c-1'))?.openRunId).toBeUndefined());
    const entries = await desk.store.read('c-1');
    expect(entries.at(-1)?.item).toMatchObject({
      type: 'run_ended',
      outcome: 'failed',
      code: 'agent_principal_refused',
    });
    expect(entries.find(({ item }) => item.type === 'tool_result')?.item).toMatchObject({
      content: { code: 'call_cancelled' },
    });
    expect(done).toEqual([]);
  });

  it('that the handler died in is unknown where it may not be repeated, and the run ends with an error', async () => {
    await boot([PAY]);
    hold.fail = true;
    const first = await collect(desk.say('pay'));
    await desk.decide('ben', approvalOf(first));
    const rest = await collect(desk.say(undefined));
    expect(typesOf(rest)).toEqual(['tool_result', 'error', 'done']);
    expect(ofType(rest, 'tool_result')[0]?.content).toMatchObject({ code: 'tool_outcome_unknown' });
    expect(ofType(rest, 'error')[0]).toMatchObject({ code: 'operation_failed' });
    expect(await desk.store.unknownCalls(10)).toMatchObject([{ toolName: 'refunds__pay', state: 'unknown' }]);
  });

  it('that runs for nobody that the guard knows has failed, not happened perhaps', async () => {
    await boot([PAY]);
    const first = await collect(desk.say('pay'));
    await desk.decide('ben', approvalOf(first));
    const rest = await collect(desk.say(undefined, { caller: { headers: {} } }));
    expect(ofType(rest, 'tool_result')[0]?.content).toMatchObject({ code: 'operation_unauthenticated' });
    expect(ofType(rest, 'error')[0]).toMatchObject({ code: 'operation_unauthenticated' });
    expect(await desk.store.unknownCalls(10)).toEqual([]);
    expect(done).toEqual([]);
  });

  it('of a function is gated, judged and run the same', async () => {
    const { tool, runs } = counted('send_mail', { approval: 'goes to a customer' });
    await boot([{ toolCalls: [{ name: 'send_mail', arguments: { to: 'bob' } }] }, 'Sent.'], { tools: [tool] });
    const first = await collect(desk.say('mail'));
    expect(runs).toEqual([]);
    expect(await desk.decide('ben', approvalOf(first), { arguments: { to: 'eve' } })).toBe(200);
    expect(doneOf(await collect(desk.say(undefined))).answer).toBe('Sent.');
    expect(runs).toEqual([{ to: 'eve' }]);
  });

  it('of a function whose rule knows nobody but the one who asks is edited all the same', async () => {
    const approval = (_input: unknown, { headers }: CallerContext) => {
      if (headers['authorization'] === undefined) throw new Error('who asks?');
      return 'goes to a customer';
    };
    const { tool, runs } = counted('send_mail', { approval });
    await boot([{ toolCalls: [{ name: 'send_mail', arguments: { to: 'bob' } }] }, 'Sent.'], { tools: [tool] });
    const first = await collect(desk.say('mail'));
    expect(await desk.decide('ben', approvalOf(first), { arguments: { to: 'eve' } })).toBe(200);
    expect(doneOf(await collect(desk.say(undefined))).answer).toBe('Sent.');
    expect(runs).toEqual([{ to: 'eve' }]);
  });

  it('of a function whose rule fails ends the run, and is not run', async () => {
    const approval = () => {
      throw new Error('the rules are on holiday');
    };
    const { tool, runs } = counted('send_mail', { approval });
    await boot([{ toolCalls: [{ name: 'send_mail' }] }], { tools: [tool] });
    const events = await collect(desk.say('mail'));
    expect(ofType(events, 'error')).toMatchObject([{ code: 'approval_gate_failed' }]);
    expect([runs, await desk.pending()]).toEqual([[], []]);
  });

  describe('beside others in one step', () => {
    const calls = [
      { name: 'refunds__pay', arguments: { order: 'first', amount: 1 } },
      { name: 'refunds__look', arguments: { order: 'free' } },
      { name: 'refunds__pay', arguments: { order: 'second', amount: 2 } },
    ];

    it('waits by itself: what is free runs at once, and decisions may come in any order, over a restart', async () => {
      await boot([{ toolCalls: calls }, 'All done.']);
      const first = await collect(desk.say('pay'));
      expect(done.map(({ what }) => what)).toEqual(['look']);
      const [one, other] = ofType(first, 'approval_request').map(({ approvalId }) => approvalId);
      await desk.decide('ben', other ?? '');
      await closeApplications();
      const after = await another(desk.store);
      expect(doneOf(await collect(after.say(undefined)))).toMatchObject({
        outcome: 'waiting',
        pendingApprovals: [one],
      });
      expect(done.map(({ input }) => input)).toMatchObject([{ order: 'free' }, { order: 'second' }]);
      await after.decide('cleo', one ?? '', { verdict: 'deny' });
      const rest = await collect(after.say(undefined));
      expect(ofType(rest, 'tool_result').map(({ isError, content }) => [isError, content])).toMatchObject([
        [true, { code: 'approval_denied' }],
        [false, { what: 'look' }],
        [false, { what: 'pay', input: { order: 'second' } }],
      ]);
      expect(done).toHaveLength(2);
    });
  });
});
