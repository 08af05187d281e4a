import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AgentEvent } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { bootDesk, type Desk } from '../agent/module/support/desk.js';
import { collect, doneOf, ofType } from '../agent/run/support/running.js';
import { done } from '../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../support/application.js';

// A run was resumed with whatever was pending by the time of the click, not with the call that was shown.
// https://github.com/mastra-ai/mastra/issues/19633

const pay = (amount: number): ScriptedStep => ({
  toolCalls: [{ name: 'refunds__pay', arguments: { order: 'o-1', amount } }],
});

describe.each(PLATFORMS)('a decision that comes late to a run, on %s', (platform) => {
  let model: ScriptedModel;
  let desk: Desk;

  const boot = async (...script: readonly ScriptedStep[]): Promise<void> => {
    model = new ScriptedModel(script);
    desk = await bootDesk(platform, { model });
  };
  const say = (message?: string, conversation = 'c-1'): Promise<AgentEvent[]> =>
    collect(desk.say(message, { conversation }));
  const approvalOf = (events: readonly AgentEvent[]): string => ofType(events, 'approval_request')[0]?.approvalId ?? '';

  beforeEach(() => {
    done.length = 0;
  });
  afterEach(closeApplications);

  it('is about the call that was denied: the one that the model tries instead goes on waiting', async () => {
    await boot(pay(10), pay(10_000), 'Paid.');
    const small = approvalOf(await say('pay'));
    expect(await desk.decide('ben', small, { verdict: 'deny' })).toBe(200);
    const large = approvalOf(await say());
    expect(large).not.toBe(small);
    for (const who of ['ben', 'cleo']) expect(await desk.decide(who, small)).toBe(409);
    expect(doneOf(await say())).toMatchObject({ outcome: 'waiting', pendingApprovals: [large] });
    expect(done).toEqual([]);
    expect(await desk.decide('ben', large)).toBe(200);
    expect(doneOf(await say()).answer).toBe('Paid.');
    expect(done).toMatchObject([{ input: { amount: 10_000 } }]);
  });

  it('is counted once where it is said twice quickly, and runs once', async () => {
    await boot(pay(10), 'Paid.');
    const approvalId = approvalOf(await say('pay'));
    expect(await Promise.all([desk.decide('ben', approvalId), desk.decide('ben', approvalId)])).toEqual([200, 200]);
    await say();
    expect(await desk.decide('ben', approvalId)).toBe(200);
    expect(await desk.decide('ben', approvalId, { verdict: 'deny' })).toBe(409);
    expect(done).toHaveLength(1);
  });

  it('goes to no other run: neither by its id nor by its hash', async () => {
    await boot(pay(10), pay(20), 'Paid.');
    const one = approvalOf(await say('pay', 'c-1'));
    const other = approvalOf(await say('pay', 'c-2'));
    const { argumentsHash } = (await desk.store.approval(other)) ?? {};
    expect(await desk.decide('ben', one, { argumentsHash })).toBe(409);
    expect(await desk.decide('ben', '00000000-0000-4000-8000-000000000000', { argumentsHash })).toBe(404);
    expect(await desk.decide('ben', other)).toBe(200);
    expect(doneOf(await say(undefined, 'c-1'))).toMatchObject({ outcome: 'waiting', pendingApprovals: [one] });
    expect(done).toEqual([]);
    expect(doneOf(await say(undefined, 'c-2')).answer).toBe('Paid.');
    expect(done).toMatchObject([{ input: { amount: 20 } }]);
  });

  it('is about nothing once the run is over', async () => {
    await boot(pay(10), 'As you like.', pay(10));
    const given = approvalOf(await say('pay'));
    await say('leave it');
    const again = approvalOf(await say('pay after all'));
    expect(await desk.decide('ben', given)).toBe(409);
    expect(doneOf(await say())).toMatchObject({ outcome: 'waiting', pendingApprovals: [again] });
    expect(done).toEqual([]);
  });
});
