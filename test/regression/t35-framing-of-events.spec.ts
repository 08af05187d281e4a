import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  question,
  readFailure,
  readStream,
  startModelApp,
  streamed,
  type ModelApp,
} from '../agent/models/support/model-app.js';

const chunk = (content: string): string => `{"choices":[{"delta":{"content":"${content}"},"finish_reason":"stop"}]}`;
const [FIRST, SECOND] = [`{"choices":`, `[{"delta":{"content":"a"},"finish_reason":"stop"}]}`];
const E_ACUTE = Buffer.from('é');
const [BEFORE = '', AFTER = ''] = chunk('|').split('|');

/** T35: server-sent events, however they are framed and cut. */
describe('the framing of events', () => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
  });
  afterAll(() => app.close());

  it.each<[string, (string | Uint8Array)[], string]>([
    ['CRLF', [`data: ${chunk('a')}\r\n\r\n`], 'a'],
    ['CR', [`data: ${chunk('a')}\r\r`], 'a'],
    ['CR and LF in two pieces', [`data: ${chunk('a')}\r`, '\n\r', '\n'], 'a'],
    [
      'a character in two pieces',
      [`data: ${BEFORE}`, E_ACUTE.subarray(0, 1), E_ACUTE.subarray(1), `${AFTER}\n\n`],
      'é',
    ],
    ['one payload on two lines', [`data: ${FIRST}\n`, `data: ${SECOND}\n\n`], 'a'],
    ['no blank after the colon', [`data:${chunk('a')}\n\n`], 'a'],
    ['comments', [`: ping\n\ndata: ${chunk('a')}\n\n: ping\n\n`], 'a'],
    ['a byte order mark', [Buffer.from([0xef, 0xbb, 0xbf]), `data: ${chunk('a')}\n\n`], 'a'],
    ['[DONE], and more after it', [`data: ${chunk('a')}\n\ndata: [DONE]\n\ndata: nothing\n\n`], 'a'],
  ])('%s', async (_, pieces, text) => {
    app.upstream.answer(streamed(...pieces));
    expect((await readStream(app.chat())).reply?.text).toBe(text);
  });

  it('an event that the end of the body cuts is none', async () => {
    app.upstream.answer(streamed(`data: ${chunk('a')}\n`));
    const { error, events } = await readFailure(app.chat(), question);
    expect(error).toMatchObject({ code: 'egress_stream_interrupted' });
    expect(events).toEqual([]);
  });

  it('an event of type error fails the turn', async () => {
    app.upstream.answer(streamed(`data: ${chunk('a')}\n\n`, 'event: error\ndata: {"message":"broken"}\n\n'));
    expect((await readFailure(app.chat())).error).toMatchObject({ code: 'model_rejected' });
  });
});
