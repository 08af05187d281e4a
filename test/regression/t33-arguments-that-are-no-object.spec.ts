import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json } from '../egress/support/upstream.js';
import {
  chatEvents,
  question,
  readStream,
  startModelApp,
  streamed,
  type ModelApp,
} from '../agent/models/support/model-app.js';

const ABSENT = Symbol('absent');

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** T32 and T33: what a model writes in place of arguments, in a stream and as a whole. */
describe('arguments of a tool call', () => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
  });
  afterAll(() => app.close());

  it.each<[string, unknown, object]>([
    ['an empty text', '', { arguments: {} }],
    ['blanks', '  ', { arguments: {} }],
    ['null', null, { arguments: {} }],
    ['nothing', ABSENT, { arguments: {} }],
    ['an object', { a: 1 }, { arguments: { a: 1 } }],
    ['the text of an object', ' {"a":1} ', { arguments: { a: 1 } }],
    ['the text "null"', 'null', { arguments: {}, fault: 'not_an_object' }],
    ['the text of a number', '5', { arguments: {}, fault: 'not_an_object' }],
    ['the text of a text', '"x"', { arguments: {}, fault: 'not_an_object' }],
    ['the text of a list', '[]', { arguments: {}, fault: 'not_an_object' }],
    ['a list', [], { arguments: {}, fault: 'not_an_object' }],
    ['a number', 5, { arguments: {}, fault: 'not_an_object' }],
    ['an object that is cut', '{"a":1', { arguments: {}, fault: 'not_json' }],
    ['an object twice', '{"a":1}{"a":1}', { arguments: {}, fault: 'not_json' }],
    ['an object of two hundred levels', nested(200), { arguments: JSON.parse(nested(200)) as object }],
    ['an object of more', nested(201), { arguments: {}, fault: 'too_deep' }],
    ['an object of a hundred thousand', nested(100_000), { arguments: {}, fault: 'too_deep' }],
    ['an object in a fence', '```json\n{"a":1}\n```', { arguments: {}, fault: 'not_json' }],
  ])('%s', async (_, args, meaning) => {
    const call = { index: 0, id: 'c', function: { name: 'f', ...(args !== ABSENT && { arguments: args }) } };
    const expected = [{ id: 'c', name: 'f', ...meaning }];
    app.upstream.answer(json({ choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }));
    expect((await app.chat().complete(question)).toolCalls).toEqual(expected);
    const chunk = { choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] };
    app.upstream.answer(streamed(chatEvents(chunk)));
    expect((await readStream(app.chat())).reply?.toolCalls).toEqual(expected);
  });
});
