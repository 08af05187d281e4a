import { describe, expect, it } from '@jest/globals';
import { toMessages } from 'nestjs-palette';
import { counted, doneOf, ofType, typesOf } from '../run/support/running.js';
import { cast, transfers } from './support/cast.js';

const nameOf = ({ name }: { readonly name: string }): string => name;

describe('a transfer', () => {
  const talk = () =>
    cast({
      triage: { script: [transfers('billing')], system: 'Find out who helps.', handoffs: ['billing'] },
      billing: {
        script: ['It was paid.'],
        system: 'Answer about bills.',
        description: 'For everything about bills.',
        tools: [counted('find_bill').tool],
        handoffs: ['triage'],
      },
    });

  it('lets the other agent answer: call, result, handoff, message, done', async () => {
    const events = await talk().say('Was my bill paid?');
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'handoff', 'message', 'done']);
    expect(events.map(({ agent }) => agent)).toEqual(['triage', 'triage', 'triage', 'billing', 'billing', 'billing']);
    expect(ofType(events, 'tool_result')[0]).toMatchObject({
      toolName: 'transfer_to_billing',
      isError: false,
      content: { transferred_to: 'billing' },
    });
    const [call] = ofType(events, 'tool_call');
    expect(ofType(events, 'handoff')).toMatchObject([
      { from: 'triage', to: 'billing', callId: call?.callId, step: 1, runId: call?.runId },
    ]);
    expect(doneOf(events)).toMatchObject({
      outcome: 'completed',
      agent: 'billing',
      answer: 'It was paid.',
      usage: { modelCalls: 2, toolCalls: 1 },
    });
  });

  it('tells the other agent its own system prompt, its own tools, and all that was said', async () => {
    const { say, model } = talk();
    await say('Was my bill paid?');
    const [asked] = model('triage').requests;
    expect([asked?.system, asked?.tools.map(nameOf)]).toEqual(['Find out who helps.', ['transfer_to_billing']]);
    const [handed] = model('billing').requests;
    expect([handed?.system, handed?.tools.map(nameOf)]).toEqual([
      'Answer about bills.',
      ['find_bill', 'transfer_to_triage'],
    ]);
    expect(handed?.messages).toMatchObject([
      { role: 'user', text: 'Was my bill paid?' },
      { role: 'assistant', toolCalls: [{ id: 'call_1_1', name: 'transfer_to_billing' }] },
      { role: 'tool', toolCallId: 'call_1_1', isError: false },
    ]);
  });

  it('is told to the model by the description of the other agent, or by what the handoff says', async () => {
    const { say, model } = cast({
      triage: { script: ['Hello.'], handoffs: ['billing', { to: 'orders', when: 'Parcels only.' }, 'others'] },
      billing: { description: 'For everything about bills.' },
      orders: { description: 'For everything about orders.' },
      others: {},
    });
    await say('Hi');
    expect(model('triage').requests[0]?.tools.map(({ description }) => description)).toEqual([
      'Hands the conversation over to the agent "billing". For everything about bills.',
      'Hands the conversation over to the agent "orders". Parcels only.',
      'Hands the conversation over to the agent "others".',
    ]);
  });

  it('is nobody’s speech: who reads the conversation sees the call and its result, and no more', async () => {
    const { say, store, conversation } = talk();
    await say('Was my bill paid?');
    const messages = toMessages(await store.read(conversation));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('to an agent that this one does not hand over to is no tool', async () => {
    const { say } = cast({
      triage: { script: [transfers('orders'), 'I cannot.'], handoffs: ['billing'] },
      billing: { handoffs: ['orders'] },
      orders: {},
    });
    const events = await say('Where is my parcel?');
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'message', 'done']);
    expect(ofType(events, 'tool_result')[0]).toMatchObject({ isError: true, content: { code: 'tool_unknown' } });
    expect(doneOf(events)).toMatchObject({ agent: 'triage', answer: 'I cannot.' });
  });

  it('works on messages that the application keeps itself', async () => {
    const { agents, model, say } = talk();
    const messages = [{ role: 'user' as const, text: 'Was my bill paid?' }];
    const own = { messages, agent: agents['triage'], agents: [agents['billing']] };
    const events = await say(undefined, { ...own, conversation: undefined, store: undefined } as never);
    expect(doneOf(events)).toMatchObject({ agent: 'billing', answer: 'It was paid.' });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    model('billing').assertComplete();
  });
});

describe('two transfers in one step', () => {
  const both = {
    billing: { script: ['Billing here.', 'Still here.'] },
    orders: { script: ['Orders here.', 'Still here.'] },
  };

  it.each([
    [['billing', 'orders'], 'billing'],
    [['orders', 'billing'], 'orders'],
  ])('%j: the first in the order of the message wins, and the other is told', async (targets, winner) => {
    const { say } = cast({ triage: { script: [transfers(...targets)], handoffs: ['orders', 'billing'] }, ...both });
    const events = await say('Bill and parcel?');
    expect(typesOf(events)).toEqual([
      'tool_call',
      'tool_call',
      'tool_result',
      'tool_result',
      'handoff',
      'message',
      'done',
    ]);
    expect(ofType(events, 'tool_result').map(({ isError, content }) => [isError, content])).toEqual([
      [false, { transferred_to: winner }],
      [true, { code: 'handoff_ignored', message: expect.stringContaining('ignored') }],
    ]);
    expect(ofType(events, 'handoff')).toMatchObject([{ from: 'triage', to: winner }]);
    expect(doneOf(events)).toMatchObject({ agent: winner, answer: expect.stringMatching(/here\.$/) });
  });

  it('to the same agent are one handoff', async () => {
    const { say } = cast({
      triage: { script: [transfers('billing', 'billing')], handoffs: ['billing'] },
      billing: { script: ['Billing here.'] },
    });
    const events = await say('Bill?');
    expect(ofType(events, 'tool_result').map(({ isError }) => isError)).toEqual([false, true]);
    expect(ofType(events, 'handoff')).toHaveLength(1);
  });

  it('in two steps are two handoffs', async () => {
    const { say } = cast({
      triage: { script: [transfers('billing')], handoffs: ['billing'] },
      billing: { script: [transfers('orders')], handoffs: ['orders'] },
      orders: { script: ['Orders here.'] },
    });
    const events = await say('Parcel?');
    expect(ofType(events, 'handoff').map(({ from, to, step }) => [from, to, step])).toEqual([
      ['triage', 'billing', 1],
      ['billing', 'orders', 2],
    ]);
  });

  it('of which the first cannot be read: the second is taken', async () => {
    const unread = { name: 'transfer_to_billing', fault: 'not_json' as const };
    const { say } = cast({
      triage: { script: [{ toolCalls: [unread, { name: 'transfer_to_orders' }] }], handoffs: ['orders', 'billing'] },
      ...both,
    });
    const events = await say('Bill and parcel?');
    expect(ofType(events, 'tool_result').map(({ content }) => content)).toMatchObject([
      { code: 'tool_arguments_invalid' },
      { transferred_to: 'orders' },
    ]);
    expect(doneOf(events)).toMatchObject({ agent: 'orders', answer: 'Orders here.' });
  });
});

describe('a transfer beside other calls', () => {
  it.each([
    ['before', [{ name: 'transfer_to_billing' }, { name: 'look_up', arguments: { id: 7 } }]],
    ['after', [{ name: 'look_up', arguments: { id: 7 } }, { name: 'transfer_to_billing' }]],
  ])('%s them leaves each its result, in the order of the calls', async (_where, toolCalls) => {
    const { tool, runs } = counted('look_up');
    const { say, model } = cast({
      triage: { script: [{ toolCalls }], tools: [tool], handoffs: ['billing'] },
      billing: { script: ['Seven was paid.'] },
    });
    const events = await say('Was 7 paid?');
    expect(typesOf(events)).toEqual([
      'tool_call',
      'tool_call',
      'tool_result',
      'tool_result',
      'handoff',
      'message',
      'done',
    ]);
    expect(ofType(events, 'tool_result').map(({ toolName }) => toolName)).toEqual(toolCalls.map(nameOf));
    expect(ofType(events, 'tool_result').map(({ isError }) => isError)).toEqual([false, false]);
    expect(runs).toEqual([{ id: 7 }]);
    const told = model('billing').requests[0]?.messages.filter(({ role }) => role === 'tool');
    expect(told).toMatchObject(toolCalls.map(({ name }) => ({ toolName: name })));
  });

  it('is made all the same where the other call fails in a way that the model can act on', async () => {
    const { say } = cast({
      triage: {
        script: [{ toolCalls: [{ name: 'no_tool' }, { name: 'transfer_to_billing' }] }],
        handoffs: ['billing'],
      },
      billing: { script: ['Hello.'] },
    });
    const events = await say('Hi');
    expect(ofType(events, 'tool_result').map(({ isError }) => isError)).toEqual([true, false]);
    expect(doneOf(events).agent).toBe('billing');
  });

  it('beyond the budget of calls is not made', async () => {
    const { tool } = counted('look_up');
    const { say } = cast({
      triage: {
        script: [{ toolCalls: [{ name: 'look_up' }, { name: 'transfer_to_billing' }] }, 'I answer myself.'],
        tools: [tool],
        handoffs: ['billing'],
      },
      billing: {},
    });
    const events = await say('Hi', { budget: { toolCalls: 1 } });
    expect(ofType(events, 'tool_result')[1]).toMatchObject({ content: { code: 'tool_calls_exhausted' } });
    expect(ofType(events, 'handoff')).toEqual([]);
    expect(doneOf(events)).toMatchObject({ agent: 'triage', answer: 'I answer myself.' });
  });
});
