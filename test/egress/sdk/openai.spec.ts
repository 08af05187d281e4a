import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { sdkOptions } from '../../../lib/egress/index.js';
import { json, startUpstream, type Upstream } from '../support/upstream.js';
import { beginEvents, codesOf, CUT_ANSWERS } from './support/cut-answers.js';
import { counted, SECRET, withSdkClient } from './support/sdk-app.js';

const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
const completion = { id: '1', object: 'chat.completion', choices: [{ index: 0, message: { content: 'hello' } }] };

function delta(content: string): string {
  return `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

async function streamed(openai: OpenAI): Promise<string> {
  let text = '';
  const stream = await openai.chat.completions.create({ ...request, stream: true });
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

describe('openai', () => {
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
      const openai = new OpenAI(sdkOptions(client));
      await expect(openai.chat.completions.create(request)).resolves.toMatchObject(completion);
    });
    expect(upstream.requests).toMatchObject([
      { method: 'POST', url: '/v1/chat/completions', headers: { authorization: `Bearer ${SECRET}` } },
    ]);
  });

  it('streams an answer, and is given no more than it asks for', async () => {
    upstream.answer((response) => {
      beginEvents(response, delta('hel'));
      response.end(`${delta('lo')}data: [DONE]\n\n`);
    });
    await withSdkClient(baseUrl, {}, async (client) => {
      await expect(streamed(new OpenAI(sdkOptions(client)))).resolves.toBe('hello');
    });
  });

  it.each(CUT_ANSWERS)('fails where $name', async ({ options, code, goOn }) => {
    upstream.answer((response) => {
      beginEvents(response, delta('hel'));
      goOn(response);
    });
    await withSdkClient(baseUrl, options, async (client) => {
      const error: unknown = await streamed(new OpenAI(sdkOptions(client))).catch((thrown: unknown) => thrown);
      expect(codesOf(error)).toContain(code);
    });
  });

  it('closes the connection when its stream is left', async () => {
    let isClosed = false;
    upstream.answer((response) => {
      beginEvents(response, delta('hel'));
      response.on('close', () => (isClosed = true));
    });
    await withSdkClient(baseUrl, {}, async (client) => {
      const stream = await new OpenAI(sdkOptions(client)).chat.completions.create({ ...request, stream: true });
      for await (const _ of stream) break;
      while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 5));
    });
  });

  it('sends nothing elsewhere, at the cost of one call, whatever its own retries are', async () => {
    upstream.answer((response) => response.writeHead(307, { location: `${trap.origin}/v1/x` }).end());
    await withSdkClient(baseUrl, {}, async (client) => {
      for (const [baseURL, code] of [
        [`${trap.origin}/v1`, 'egress_outside_base_url'],
        [`${upstream.origin}/admin`, 'egress_outside_base_url'],
        [client.baseUrl, 'egress_redirect_refused'],
      ]) {
        const counter = counted(client.fetch);
        const openai = new OpenAI({
          ...sdkOptions(client),
          baseURL: baseURL as string,
          fetch: counter.fetch,
          maxRetries: 2,
        });
        await expect(openai.chat.completions.create(request)).rejects.toMatchObject({ status: 400, code });
        expect(counter.calls).toBe(1);
      }
    });
    expect(trap.connections.opened).toBe(0);
    expect(upstream.requests).toHaveLength(1);
  });

  it('uploads a file', async () => {
    upstream.answer(json({ id: 'file-1', object: 'file' }));
    await withSdkClient(baseUrl, {}, async (client) => {
      const file = await toFile(Buffer.from('contents'), 'notes.txt');
      await expect(new OpenAI(sdkOptions(client)).files.create({ file, purpose: 'user_data' })).resolves.toMatchObject({
        id: 'file-1',
      });
    });
    expect(upstream.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(upstream.requests[0]?.body).toContain('contents');
  });

  it('is told what the upstream says of a refusal', async () => {
    upstream.answer(json({ error: { message: 'no such model', code: 'model_not_found' } }, 404));
    await withSdkClient(baseUrl, {}, async (client) => {
      const call = new OpenAI(sdkOptions(client)).chat.completions.create(request);
      await expect(call).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    });
  });
});
