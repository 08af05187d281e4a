import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateText, streamText, type LanguageModel } from 'ai';
import { sdkOptions, type EgressClient, type EgressFetch } from '../../../lib/egress/index.js';
import { json, startUpstream, until, type Upstream } from '../support/upstream.js';
import { beginEvents, codesOf, CUT_ANSWERS } from './support/cut-answers.js';
import { counted, SECRET, withSdkClient } from './support/sdk-app.js';

const completion = {
  id: '1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
};

function delta(content: string): string {
  return `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

function modelOf(client: EgressClient, options: { baseURL?: string; fetch?: EgressFetch } = {}): LanguageModel {
  return createOpenAICompatible({ name: 'vendor', ...sdkOptions(client), ...options })('m');
}

/** The whole text, or what the stream failed with. */
async function streamed(model: LanguageModel): Promise<string> {
  let text = '';
  const { fullStream } = streamText({ model, prompt: 'hi', maxRetries: 0, onError: () => undefined });
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
    if (part.type === 'text-delta') text += part.text;
  }
  return text;
}

describe('ai', () => {
  let upstream: Upstream;
  let trap: Upstream;
  let baseUrl: string;

  beforeAll(async () => {
    upstream = await startUpstream();
    trap = await startUpstream(json(completion));
    baseUrl = `${upstream.origin}/v1`;
  });
  beforeEach(() => void (upstream.requests.length = 0));
  afterAll(async () => {
    await upstream.close();
    await trap.close();
  });

  it('is answered, with the credential of the service in place of its own', async () => {
    upstream.answer(json(completion));
    await withSdkClient(baseUrl, {}, async (client) => {
      await expect(generateText({ model: modelOf(client), prompt: 'hi' })).resolves.toMatchObject({ text: 'hello' });
    });
    expect(upstream.requests).toMatchObject([
      { url: '/v1/chat/completions', headers: { authorization: `Bearer ${SECRET}` } },
    ]);
  });

  it('streams an answer', async () => {
    upstream.answer((response) => {
      beginEvents(response, delta('hel'));
      const finish = { id: '1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
      response.end(`${delta('lo')}data: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`);
    });
    await withSdkClient(baseUrl, {}, async (client) => {
      await expect(streamed(modelOf(client))).resolves.toBe('hello');
    });
  });

  it.each(CUT_ANSWERS)('fails where $name', async ({ options, code, goOn }) => {
    upstream.answer((response) => {
      beginEvents(response, delta('hel'));
      goOn(response);
    });
    await withSdkClient(baseUrl, options, async (client) => {
      const error: unknown = await streamed(modelOf(client)).catch((thrown: unknown) => thrown);
      expect(codesOf(error)).toContain(code);
    });
  });

  it('closes the connection when its abort signal says so', async () => {
    let isClosed = false;
    upstream.answer((response) => {
      beginEvents(response, delta('hel'));
      response.on('close', () => (isClosed = true));
    });
    await withSdkClient(baseUrl, {}, async (client) => {
      const caller = new AbortController();
      const { textStream } = streamText({ model: modelOf(client), prompt: 'hi', abortSignal: caller.signal });
      for await (const _ of textStream) caller.abort();
      await until(() => isClosed);
    });
  });

  it('sends nothing elsewhere, at the cost of one call, whatever its own retries are', async () => {
    upstream.answer((response) => response.writeHead(307, { location: `${trap.origin}/v1/x` }).end());
    await withSdkClient(baseUrl, {}, async (client) => {
      for (const [baseURL, code] of [
        [`${trap.origin}/v1`, 'egress_outside_base_url'],
        [client.baseUrl, 'egress_redirect_refused'],
      ] as const) {
        const counter = counted(client.fetch);
        const model = modelOf(client, { baseURL, fetch: counter.fetch });
        const call = generateText({ model, prompt: 'hi', maxRetries: 2 });
        await expect(call).rejects.toMatchObject({
          statusCode: 400,
          responseHeaders: { 'x-egress-error': code },
        });
        expect(counter.calls).toBe(1);
      }
    });
    expect(trap.connections.opened).toBe(0);
    expect(upstream.requests).toHaveLength(1);
  });
});
