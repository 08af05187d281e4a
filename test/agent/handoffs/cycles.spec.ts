import { describe, expect, it } from '@jest/globals';
import { doneOf, ofType } from '../run/support/running.js';
import { cast, transfers } from './support/cast.js';

const ANSWER = 'I answer myself.';

describe('agents that hand over to one another', () => {
  const pingPong = (rounds: number) => {
    const there = Array.from({ length: rounds }, () => transfers('billing'));
    const back = Array.from({ length: rounds }, () => transfers('triage'));
    return cast({
      triage: { script: [...there, ANSWER], handoffs: ['billing'] },
      billing: { script: [...back, ANSWER], handoffs: ['triage'] },
    });
  };

  it('may do so there and back', async () => {
    const events = await pingPong(1).say('Hi');
    expect(ofType(events, 'handoff').map(({ from, to }) => `${from} ${to}`)).toEqual([
      'triage billing',
      'billing triage',
    ]);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', agent: 'triage', answer: ANSWER });
  });

  it('may do so as often as the bound says, in each direction', async () => {
    const events = await pingPong(3).say('Hi', { maxSteps: 20 });
    expect(ofType(events, 'handoff')).toHaveLength(6);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', agent: 'triage', answer: ANSWER });
  });

  it('and once more are refused: the model is told `handoff_limit`, and answers itself', async () => {
    const events = await pingPong(4).say('Hi', { maxSteps: 20 });
    expect(ofType(events, 'handoff')).toHaveLength(6);
    expect(ofType(events, 'tool_result').at(-1)).toMatchObject({
      agent: 'triage',
      isError: true,
      content: { code: 'handoff_limit', message: expect.stringContaining('3 times') },
    });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', agent: 'triage', answer: ANSWER });
  });

  it.each([
    [1, 2],
    [2, 4],
  ])('keep to `maxHandoffs: %d`', async (maxHandoffs, handoffs) => {
    const events = await pingPong(maxHandoffs + 1).say('Hi', { maxHandoffs, maxSteps: 20 });
    expect(ofType(events, 'handoff')).toHaveLength(handoffs);
    expect(ofType(events, 'tool_result').at(-1)).toMatchObject({ content: { code: 'handoff_limit' } });
  });

  it('are not held up by the bound of another way', async () => {
    const { say } = cast({
      triage: { script: [transfers('billing'), transfers('billing', 'orders')], handoffs: ['billing', 'orders'] },
      billing: { script: [transfers('triage')], handoffs: ['triage'] },
      orders: { script: [ANSWER] },
    });
    const events = await say('Hi', { maxHandoffs: 1 });
    expect(ofType(events, 'tool_result').slice(-2)).toMatchObject([
      { content: { code: 'handoff_limit' } },
      { content: { transferred_to: 'orders' } },
    ]);
    expect(doneOf(events)).toMatchObject({ agent: 'orders', answer: ANSWER });
  });

  it('with `maxHandoffs: 0` cannot', async () => {
    const events = await pingPong(1).say('Hi', { maxHandoffs: 0 });
    expect(ofType(events, 'tool_result')).toMatchObject([{ content: { code: 'handoff_limit' } }]);
    expect(doneOf(events)).toMatchObject({ agent: 'triage', answer: ANSWER });
  });

  it('begin to be counted anew with each run', async () => {
    const { say, model } = cast({
      triage: { script: [transfers('billing'), ANSWER, transfers('billing'), ANSWER], handoffs: ['billing'] },
      billing: { script: [transfers('triage'), transfers('triage')], handoffs: ['triage'] },
    });
    for (const message of ['One', 'Two']) {
      const events = await say(message, { maxHandoffs: 1 });
      expect(ofType(events, 'handoff')).toHaveLength(2);
    }
    model('billing').assertComplete();
  });

  it('are ended by `maxSteps`, whichever comes first', async () => {
    const events = await pingPong(3).say('Hi', { maxSteps: 3 });
    expect(ofType(events, 'handoff')).toHaveLength(3);
    expect(doneOf(events)).toMatchObject({ outcome: 'max_steps', agent: 'billing' });
  });
});
