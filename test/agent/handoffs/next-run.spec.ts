import { describe, expect, it } from '@jest/globals';
import { counted, doneOf, ofType, say, typesOf } from '../run/support/running.js';
import type { Agent } from 'nestjs-palette';
import { cast, transfers, type Cast } from './support/cast.js';

describe('the agent that the next run of a conversation begins with', () => {
  const first = () =>
    cast({
      triage: { script: [transfers('billing')], handoffs: ['billing'] },
      billing: { script: ['Billing here.', 'Still billing.'], handoffs: ['triage'] },
    });
  /** Another process: other agents of these names, with the same store. */
  const restarted = ({ store }: Cast, parts: Parameters<typeof cast>[0]): Cast => cast(parts, store);

  it('is the one that it was handed over to', async () => {
    const { say, model } = first();
    await say('A bill');
    const events = await say('And then?');
    expect(events.map(({ agent }) => agent)).toEqual(['billing', 'billing', 'billing']);
    expect(doneOf(events)).toMatchObject({ agent: 'billing', answer: 'Still billing.' });
    model('billing').assertComplete();
    model('triage').assertComplete();
  });

  it('is the same in another process', async () => {
    const before = first();
    await before.say('A bill');
    const after = restarted(before, {
      triage: { handoffs: ['billing'] },
      billing: { script: ['Restarted billing.'], handoffs: ['triage'] },
    });
    const events = await after.say('And then?', { conversation: before.conversation });
    expect(doneOf(events)).toMatchObject({ agent: 'billing', answer: 'Restarted billing.' });
    expect(after.model('billing').requests[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('is the entry where that agent is no longer defined', async () => {
    const before = first();
    await before.say('A bill');
    const after = restarted(before, { triage: { script: ['Triage again.'] } });
    const events = await after.say('And then?', { conversation: before.conversation });
    expect(doneOf(events)).toMatchObject({ agent: 'triage', answer: 'Triage again.' });
    expect((await after.store.read(before.conversation)).at(-1)?.item).toMatchObject({ agent: 'triage' });
  });

  it('is the entry where a run was left open with an agent that is gone, and a new message comes: the run itself is left to who has it', async () => {
    const before = first();
    const { agents, store, conversation } = before;
    const open = say(agents['triage'] as Agent, 'A bill', {
      agents: [agents['billing'] as Agent],
      store,
      conversation,
    });
    // Whoever stops reading leaves the run open.
    for await (const event of open) if (event.type === 'handoff') break;
    const after = restarted(before, { triage: { script: ['Triage again.'] } });
    const left = await after.say(undefined, { conversation });
    expect(typesOf(left)).toEqual(['error', 'done']);
    expect(left[0]).toMatchObject({ code: 'agent_unknown' });
    expect(doneOf(left)).toMatchObject({ outcome: 'interrupted' });
    expect(doneOf(await after.say('Hello?', { conversation }))).toMatchObject({
      agent: 'triage',
      answer: 'Triage again.',
    });
  });

  it('is the other one where a run was left open after the handoff: it goes on with it', async () => {
    const before = first();
    const { agents, store, conversation } = before;
    const open = say(agents['triage'] as Agent, 'A bill', {
      agents: [agents['billing'] as Agent],
      store,
      conversation,
    });
    for await (const event of open) if (event.type === 'handoff') break;
    const after = restarted(before, { triage: { handoffs: ['billing'] }, billing: { script: ['Restarted billing.'] } });
    const rest = await after.say(undefined, { conversation });
    expect(typesOf(rest)).toEqual(['message', 'done']);
    expect(doneOf(rest)).toMatchObject({ agent: 'billing', answer: 'Restarted billing.' });
  });

  it('is the entry again after it was handed back', async () => {
    const { say } = cast({
      triage: { script: [transfers('billing'), 'Triage.', 'Still triage.'], handoffs: ['billing'] },
      billing: { script: [transfers('triage')], handoffs: ['triage'] },
    });
    await say('A bill');
    expect(doneOf(await say('And then?'))).toMatchObject({ agent: 'triage', answer: 'Still triage.' });
  });

  it('is of that conversation only', async () => {
    const { say, model } = first();
    model('triage').push('Triage here.');
    await say('A bill');
    const events = await say('A bill', { conversation: 'of its own, and new' });
    expect(doneOf(events)).toMatchObject({ agent: 'triage', answer: 'Triage here.' });
  });

  it('is the one whose turn it was where the run failed', async () => {
    const { say, model } = cast({
      triage: { script: [transfers('billing')], handoffs: ['billing'] },
      billing: { script: [{ throws: new Error('the provider hung up') }, 'Back again.'] },
    });
    expect(doneOf(await say('A bill'))).toMatchObject({ outcome: 'failed', agent: 'billing' });
    expect(doneOf(await say('Again'))).toMatchObject({ agent: 'billing', answer: 'Back again.' });
    model('triage').assertComplete();
  });
});

describe('a transfer in a step that another call ends the run in', () => {
  // The model was told that it transferred: whoever is asked next must be that other agent.
  it('stands', async () => {
    const { say } = cast({
      triage: {
        script: [{ toolCalls: [{ name: 'transfer_to_billing' }, { name: 'broken' }] }, 'Triage here.'],
        tools: [
          counted('broken', {
            execute: () => {
              throw new Error('down');
            },
          }).tool,
        ],
        handoffs: ['billing'],
      },
      billing: { script: ['Billing here.'] },
    });
    const events = await say('A bill');
    expect(doneOf(events)).toMatchObject({ outcome: 'failed' });
    expect(ofType(events, 'tool_result')[0]).toMatchObject({ content: { transferred_to: 'billing' } });
    expect(doneOf(await say('And now?'))).toMatchObject({ agent: 'billing', answer: 'Billing here.' });
  });
});
