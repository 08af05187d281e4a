import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { headerCredential, sdkOptions } from '../../../lib/egress/index.js';
import { json, startUpstream, type Upstream } from '../support/upstream.js';
import { beginEvents, codesOf, CUT_ANSWERS } from './support/cut-answers.js';
import { counted, SECRET, withSdkClient } from './support/sdk-app.js';

const request = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'hi' }] };
const message = { id: '1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'hello' }], usage: {} };
const credentials = headerCredential('x-api-key', () => SECRET);

function event(type: string, rest: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
}

function delta(text: string): string {
  return event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
}

const BEGINNING =
  event('message_start', { message: { ...message, content: [] } }) +
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const END = event('content_block_stop', { index: 0 }) + event('message_stop');

async function streamed(anthropic: Anthropic): Promise<string> {
  let text = '';
  const stream = await anthropic.messages.create({ ...request, stream: true });
  for await (const part of stream) {
    if (part.type === 'content_block_delta' && part.delta.type === 'text_delta') text += part.delta.text;
  }
  return text;
}

describe('@anthropic-ai/sdk', () => {
  let upstream: Upstream;
  let trap: Upstream;

  beforeAll(async () => {
    upstream = await startUpstream();
    trap = await startUpstream(json(message));
  });
  beforeEach(() => void (upstream.requests.length = 0));
  afterAll(async () => {
    await upstream.close();
    await trap.close();
  });

  it('is answered, with the credential of the service in place of its own', async () => {
    upstream.answer(json(message));
    await withSdkClient(upstream.origin, { credentials }, async (client) => {
      await expect(new Anthropic(sdkOptions(client)).messages.create(request)).resolves.toMatchObject(message);
    });
    expect(upstream.requests).toMatchObject([{ url: '/v1/messages', headers: { 'x-api-key': SECRET } }]);
    expect(upstream.requests[0]?.headers).toHaveProperty('anthropic-version');
    expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('streams an answer, both ways', async () => {
    upstream.answer((response) => {
      beginEvents(response, BEGINNING + delta('hel'));
      response.end(delta('lo') + END);
    });
    await withSdkClient(upstream.origin, { credentials }, async (client) => {
      const anthropic = new Anthropic(sdkOptions(client));
      await expect(streamed(anthropic)).resolves.toBe('hello');
      await expect(anthropic.messages.stream(request).finalText()).resolves.toBe('hello');
    });
  });

  it.each(CUT_ANSWERS)('fails where $name', async ({ options, code, goOn }) => {
    upstream.answer((response) => {
      beginEvents(response, BEGINNING + delta('hel'));
      goOn(response);
    });
    await withSdkClient(upstream.origin, { credentials, ...options }, async (client) => {
      const anthropic = new Anthropic(sdkOptions(client));
      const error: unknown = await streamed(anthropic).catch((thrown: unknown) => thrown);
      expect(codesOf(error)).toContain(code);
      await expect(anthropic.messages.stream(request).finalMessage()).rejects.toThrow(code);
    });
  });

  it('sends nothing elsewhere, at the cost of one call, whatever its own retries are', async () => {
    upstream.answer((response) => response.writeHead(307, { location: `${trap.origin}/v1/x` }).end());
    await withSdkClient(upstream.origin, { credentials }, async (client) => {
      for (const [baseURL, code] of [
        [trap.origin, 'egress_outside_base_url'],
        [client.baseUrl, 'egress_redirect_refused'],
      ]) {
        const counter = counted(client.fetch);
        const options = { ...sdkOptions(client), baseURL: baseURL as string, fetch: counter.fetch, maxRetries: 2 };
        const call = new Anthropic(options).messages.create(request);
        await expect(call).rejects.toMatchObject({ status: 400, error: { error: { type: code } } });
        expect(counter.calls).toBe(1);
      }
    });
    expect(trap.connections.opened).toBe(0);
    expect(upstream.requests).toHaveLength(1);
  });
});
