import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, headerCredential, type EgressCredentials } from '../../lib/egress/index.js';
import { egressApp } from './support/egress-app.js';
import { messages, modelService } from './support/model-service.js';
import { json, startUpstream, type Upstream } from './support/upstream.js';

const question = { question: 'q' };

describe('credentials', () => {
  let upstream: Upstream;
  beforeAll(async () => {
    upstream = await startUpstream(json({ text: 'ok' }));
  });
  afterAll(() => upstream.close());

  async function call(credentials: EgressCredentials, options: object = {}): Promise<unknown> {
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, credentials });
    try {
      return await client.invoke(messages, question, options);
    } finally {
      await app.close();
    }
  }

  it.each([
    ['bearer', bearer(() => 'abc.def'), 'authorization', 'Bearer abc.def'],
    ['a provider that takes time', bearer(() => Promise.resolve('later')), 'authorization', 'Bearer later'],
    ['a header of its own', headerCredential('X-Api-Key', () => 'abc def'), 'x-api-key', 'abc def'],
  ])('are sent: %s', async (_, credentials, header, value) => {
    await call(credentials);
    expect(upstream.requests.at(-1)?.headers[header]).toBe(value);
  });

  it('are asked for at each call, so that they can be rotated', async () => {
    let count = 0;
    const { app, client } = await egressApp(modelService, {
      baseUrl: upstream.origin,
      credentials: bearer(() => `key-${++count}`),
    });
    await client.invoke(messages, question);
    for await (const _ of client.stream(messages, question)) continue;
    await client.invoke(messages, question);
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer key-3');
    await app.close();
  });

  it.each<[string, () => unknown, RegExp]>([
    ['a line break at its end', () => 'hunter2\n', /a line break/],
    ['a header in it', () => 'hunter2\r\nx-admin: 1', /a line break/],
    ['a null character', () => 'hunter2\u0000', /a line break/],
    ['a character outside ASCII', () => 'hunter2ü', /outside ASCII/],
    ['a space around it', () => ' hunter2', /a space around it/],
    ['nothing', () => '', /is empty/],
    ['no text', () => ({ key: 'hunter2' }), /is empty/],
    ['a value that is absent', () => undefined, /is empty/],
  ])('are refused with %s, without a word of the secret and before anything is sent', async (_, secret, words) => {
    const before = upstream.requests.length;
    const error: unknown = await call(bearer(secret as () => string)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'egress_credentials_invalid', retryable: false });
    expect(String(error)).toMatch(words);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
    expect(upstream.requests).toHaveLength(before);
  });

  it.each([
    () => {
      throw new Error('vault said hunter2');
    },
    () => Promise.reject(new Error('vault said hunter2')),
  ])('are refused where their provider fails, without its words', async (provider) => {
    const error: unknown = await call(headerCredential('x-api-key', provider)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'egress_credentials_invalid', retryable: true });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
  });

  it('cost the time of the call', async () => {
    const never = bearer(() => new Promise<string>(() => undefined));
    await expect(call(never, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'egress_timeout' });
  });

  describe('that are refused', () => {
    /** An upstream that takes one secret only. */
    function accepting(secret: string): void {
      upstream.answer((response, request) => {
        const isKnown = request.headers.authorization === `Bearer ${secret}`;
        json(isKnown ? { text: 'ok' } : { error: { message: 'no' } }, isKnown ? 200 : 401)(response, request);
      });
    }

    it('are asked for once more, once for all requests that were refused, and the requests sent again', async () => {
      accepting('new');
      upstream.requests.length = 0;
      const asked: boolean[] = [];
      let token = 'old';
      const credentials = bearer(async ({ refresh }) => {
        asked.push(refresh);
        if (!refresh) return token;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return (token = 'new');
      });
      const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, credentials });
      const streamed = async (): Promise<unknown> => {
        for await (const chunk of client.stream(messages, question)) return JSON.parse(Buffer.from(chunk).toString());
        return undefined;
      };
      const fetched = async (): Promise<unknown> =>
        (await client.fetch(`${client.baseUrl}/v1/messages`, { method: 'POST', body: '{}' })).json();
      const invoked = (): Promise<unknown> => client.invoke(messages, question);
      const calls = [invoked, streamed, fetched, invoked, streamed, fetched].map((start) => start());
      for (const reply of await Promise.all(calls)) expect(reply).toMatchObject({ text: 'ok' });
      expect(asked.filter((refresh) => refresh)).toHaveLength(1);
      expect(upstream.requests).toHaveLength(12);
      expect(upstream.requests.slice(6).every(({ body }) => body === '{"question":"q"}' || body === '{}')).toBe(true);
      await app.close();
    });

    it('stay refused where there is no other secret: the request is not sent again', async () => {
      accepting('another');
      for (const provider of [
        () => 'same',
        ({ refresh }: { refresh: boolean }) => (refresh ? '' : 'same'),
        ({ refresh }: { refresh: boolean }) => (refresh ? Promise.reject(new Error('hunter2')) : 'same'),
      ]) {
        upstream.requests.length = 0;
        await expect(call(bearer(provider))).rejects.toMatchObject({
          code: 'egress_credentials_rejected',
          retryable: false,
        });
        expect(upstream.requests).toHaveLength(1);
      }
    });

    it('are asked for once: a second refusal stands', async () => {
      accepting('another');
      upstream.requests.length = 0;
      let count = 0;
      await expect(call(bearer(() => `key-${++count}`))).rejects.toMatchObject({ code: 'egress_credentials_rejected' });
      expect(upstream.requests).toHaveLength(2);
    });

    it('are not asked for again by 403, nor for a body that can be read once only', async () => {
      let refreshed = 0;
      const credentials = bearer(({ refresh }) => (refresh ? `new-${++refreshed}` : 'old'));
      const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, credentials });
      upstream.answer(json({}, 403));
      await expect(client.invoke(messages, question)).rejects.toMatchObject({ code: 'egress_credentials_rejected' });
      upstream.answer(json({}, 401));
      const body = new Blob(['once']).stream();
      const response = await client.fetch(`${client.baseUrl}/x`, { method: 'POST', body, duplex: 'half' });
      await response.text();
      expect([response.status, refreshed]).toEqual([401, 0]);
      await app.close();
    });
  });

  it('print nothing', () => {
    const credentials = bearer(() => 'hunter2');
    expect(inspect(credentials, { depth: 10, showHidden: true }) + JSON.stringify(credentials)).not.toContain(
      'hunter2',
    );
  });
});
