import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from 'nestjs-palette';
import { json } from '../egress/support/upstream.js';
import {
  chatEvents,
  question,
  readStream,
  startModelApp,
  streamed,
  type ModelApp,
} from '../agent/models/support/model-app.js';

/** T34: endpoints differ about the content of a message that only called tools. */
describe('an assistant message with tool calls and no text', () => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
    app.upstream.answer(json({ choices: [{ message: { content: 'Mild.' }, finish_reason: 'stop' }] }));
  });
  afterAll(() => app.close());

  const called: ModelRequest = {
    ...question,
    messages: [
      ...question.messages,
      { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'f', arguments: {} }] },
      { role: 'tool', toolCallId: 'c', toolName: 'f', content: 1, isError: false },
      { role: 'assistant', text: '', toolCalls: [] },
    ],
  };

  it.each([
    [undefined, { content: null }],
    ['null' as const, { content: null }],
    ['empty' as const, { content: '' }],
    ['omit' as const, {}],
  ])('has the content that the endpoint takes: %s', async (emptyContent, content) => {
    await app.chat({ quirks: emptyContent === undefined ? {} : { emptyContent } }).complete(called);
    const [, assistant, tool, ...more] = app.lastBody()['messages'] as object[];
    const toolCalls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    expect(assistant).toEqual({ role: 'assistant', ...content, tool_calls: toolCalls });
    expect(tool).toEqual({ role: 'tool', tool_call_id: 'c', content: '1' });
    expect(more).toEqual([]);
  });

  it('is no message where the model only thought', async () => {
    const thought = { choices: [{ delta: { reasoning_content: 'Hm.' }, finish_reason: 'stop' }] };
    app.upstream.answer(streamed(chatEvents(thought)));
    expect((await readStream(app.chat())).reply).toMatchObject({ text: '', toolCalls: [], reasoning: 'Hm.' });
  });
});
