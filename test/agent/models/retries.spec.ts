import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { json } from '../../egress/support/upstream.js';
import {
  chatEvents,
  question,
  readFailure,
  readStream,
  startModelApp,
  streamed,
  type ModelApp,
} from './support/model-app.js';

const WHOLE = {
  chat: { model: 'm', choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] },
  anthropic: { model: 'm', content: [{ type: 'text', text: 'hello' }], stop_reason: 'end_turn' },
} as const;

describe.each(['chat', 'anthropic'] as const)('a model (%s) whose service may attempt again', (kind) => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp({ max: 2, delayMs: 1 });
  });
  beforeEach(() => void (app.upstream.requests.length = 0));
  afterAll(() => app.close());

  /** Answers the first requests with a status, and every other one as `answer` does. */
  function failFirst(count: number, status: number, body: object, answer = json(WHOLE[kind])): void {
    app.upstream.answer((response, request) => {
      if (app.upstream.requests.length > count) answer(response, request);
      else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  it.each([429, 500, 503, 529])('is answered after status %i', async (status) => {
    failFirst(2, status, { error: { message: 'later' } });
    await expect(app[kind]().complete(question)).resolves.toMatchObject({ text: 'hello' });
    expect(app.upstream.requests).toHaveLength(3);
    expect(new Set(app.upstream.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('is not asked again where credit is exhausted, nor where the request itself is refused', async () => {
    for (const [status, code] of [
      [429, 'insufficient_quota'],
      [400, 'invalid_request'],
    ] as const) {
      app.upstream.requests.length = 0;
      failFirst(9, status, { error: { message: 'no', code } });
      await expect(app[kind]().complete(question)).rejects.toMatchObject({ retryable: false });
      expect(app.upstream.requests).toHaveLength(1);
    }
  });
});

describe('a stream whose service may attempt again', () => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp({ max: 2, delayMs: 1 });
  });
  beforeEach(() => void (app.upstream.requests.length = 0));
  afterAll(() => app.close());

  const chunk = { model: 'm', choices: [{ delta: { content: 'hello' }, finish_reason: 'stop' }] };

  it('begins after an attempt that failed', async () => {
    app.upstream.answer((response, request) => {
      if (app.upstream.requests.length === 1) response.writeHead(503).end();
      else streamed(chatEvents(chunk))(response, request);
    });
    await expect(readStream(app.chat())).resolves.toMatchObject({ text: 'hello' });
    expect(app.upstream.requests).toHaveLength(2);
  });

  it('is not begun again once a part of it has come', async () => {
    app.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => response.destroy());
    });
    await expect(readFailure(app.chat())).resolves.toBeDefined();
    expect(app.upstream.requests).toHaveLength(1);
  });
});
