import { describe, expect, it } from '@jest/globals';
import type { ModelMessage } from 'nestjs-palette';
import { lastTurns, trimMessages, withoutTools } from '../../../lib/agent/transcript/index.js';
import { assistant, frozen, told, user } from './support/messages.js';

const first = [user('One.'), assistant('', 'a'), told('a'), assistant('Yes.')];
const second = [user('Two.'), assistant('Sure.')];
const third = [user('Three.'), assistant('', 'b', 'c'), told('b'), told('c'), assistant('', 'd'), told('d')];
const messages = frozen([...first, ...second, ...third]);
/** Each message costs one. */
const countTokens = (): number => 1;

describe('lastTurns', () => {
  it.each([
    [1, third],
    [2, [...second, ...third]],
    [3, messages],
    [9, messages],
    [1.9, third],
  ])('keeps the newest %p', (count, kept) => {
    expect(lastTurns(messages, count)).toEqual(kept);
  });

  it.each([0, -1, Number.NaN])('keeps the newest question where %p are asked for', (count) => {
    expect(lastTurns(messages, count)).toEqual(third);
  });

  it('counts what comes before the first question as a turn', () => {
    expect(lastTurns([assistant('Hello.'), ...second], 1)).toEqual(second);
    expect(lastTurns([assistant('Hello.'), ...second], 2)).toEqual([assistant('Hello.'), ...second]);
    expect(lastTurns([], 2)).toEqual([]);
  });
});

describe('trimMessages', () => {
  it('keeps everything without a limit, and within one', () => {
    expect(trimMessages(messages, {})).toEqual(messages);
    expect(trimMessages(messages, { turns: 3, tokens: 12, countTokens })).toEqual(messages);
  });

  it.each([
    [11, [...second, ...third]],
    [8, [...second, ...third]],
    [7, third],
    [6, third],
  ])('drops whole turns, the oldest first, to fit %p tokens', (tokens, kept) => {
    expect(trimMessages(messages, { tokens, countTokens })).toEqual(kept);
  });

  it('does not keep an older turn that would fit where a newer one does not', () => {
    const long = [user('Long.'), ...second.slice(1), ...second.slice(1)];
    expect(trimMessages([...second, ...long, ...third], { tokens: 8, countTokens })).toEqual(third);
  });

  it.each([5, 3, 0, -1])('drops the oldest calls of the newest turn with their results to fit %p tokens', (tokens) => {
    const kept = [user('Three.'), assistant('', 'd'), told('d')];
    expect(trimMessages(messages, { tokens, countTokens })).toEqual(kept);
  });

  it('drops no more calls than it has to, and no words', () => {
    const turn = [user('Go.'), assistant('', 'a'), told('a'), assistant('Hm.'), assistant('', 'b'), told('b')];
    const all = [...turn, assistant('', 'c'), told('c')];
    const kept = [user('Go.'), assistant('Hm.'), assistant('', 'b'), told('b'), assistant('', 'c'), told('c')];
    expect(trimMessages(all, { tokens: 6, countTokens })).toEqual(kept);
    expect(trimMessages(all, { tokens: 1, countTokens })).toEqual([
      user('Go.'),
      assistant('Hm.'),
      assistant('', 'c'),
      told('c'),
    ]);
  });

  it('keeps the last calls of a turn where an answer follows them', () => {
    const turn = [user('Go.'), assistant('', 'a'), told('a'), assistant('Done.')];
    expect(trimMessages(turn, { tokens: 1, countTokens })).toEqual(turn);
  });

  it('applies both limits', () => {
    expect(trimMessages(messages, { turns: 2, tokens: 7, countTokens })).toEqual(third);
    expect(trimMessages(messages, { turns: 1, tokens: 100, countTokens })).toEqual(third);
  });

  it('estimates a token for each four characters of JSON', () => {
    const long: ModelMessage[] = [user('x'.repeat(400)), assistant('y'), user('Now.')];
    const size = JSON.stringify(user('Now.')).length / 4;
    expect(trimMessages(long, { tokens: 100 })).toEqual([user('Now.')]);
    expect(trimMessages(long, { tokens: 200 })).toEqual(long);
    expect(trimMessages([user('Then.'), user('Now.')], { tokens: Math.ceil(size) })).toEqual([user('Now.')]);
  });
});

describe('withoutTools', () => {
  it('leaves what was said', () => {
    const mixed = frozen([
      user('Go.'),
      { ...assistant('Let me see.', 'a'), providerState: { about: 'a' } },
      told('a'),
      assistant(' ', 'b'),
      told('b'),
      { ...assistant('Done.'), providerState: { own: true } },
    ]);
    expect(withoutTools(mixed)).toEqual([
      user('Go.'),
      assistant('Let me see.'),
      { ...assistant('Done.'), providerState: { own: true } },
    ]);
  });
});
