import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { bearer, EgressError, sdkOptions } from '../../lib/egress/index.js';
import { MALFORMED, OUTSIDE, VECTOR_BASE } from './support/address-vectors.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { modelService } from './support/model-service.js';
import { json, startUpstream, until, type Upstream } from './support/upstream.js';

const AT_ONCE_MS = 500;

describe('fetch of a client', () => {
  let upstream: Upstream;
  let context: EgressApp<typeof modelService>;
  let at: string;

  beforeAll(async () => {
    upstream = await startUpstream();
    context = await egressApp(modelService, {
      baseUrl: `${upstream.origin}/v1`,
      credentials: bearer(() => 'ours'),
      headers: { 'x-version': '1' },
      maxResponseBytes: 1_000_000,
    });
    at = `${context.client.baseUrl}/things`;
  });
  beforeEach(() => {
    upstream.requests.length = 0;
    upstream.answer(json({ ok: true }));
  });
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
  });

  /** Answers with a body that has no end; yields whether its connection is closed. */
  function endless(): () => boolean {
    let isClosed = false;
    upstream.answer((response) => {
      response.on('close', () => (isClosed = true));
      response.writeHead(200).write('x');
    });
    return () => isClosed;
  }

  async function codeOf(response: Promise<Response>): Promise<string | null> {
    return (await response).headers.get('x-egress-error');
  }

  it('is one function, and stands in the options of SDKs', () => {
    const { client } = context;
    expect(client.fetch).toBe(client.fetch);
    expect(sdkOptions(client)).toEqual({
      baseURL: `${upstream.origin}/v1`,
      apiKey: expect.not.stringContaining('ours') as unknown,
      fetch: client.fetch,
      maxRetries: 0,
    });
  });

  it('takes text, a URL and a Request, and answers as the platform does', async () => {
    const { fetch } = context.client;
    for (const input of [at, new URL(at), new Request(at)]) {
      const response = await fetch(input);
      expect(response).toBeInstanceOf(Response);
      expect([response.status, response.ok, response.url]).toEqual([200, true, at]);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.clone().json()).toEqual({ ok: true });
      expect(await response.json()).toEqual({ ok: true });
    }
    expect(upstream.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(3).fill('GET /v1/things'));
  });

  it.each<[string, NonNullable<RequestInit['body']>, string, RegExp]>([
    ['text', 'text', 'text', /^text\/plain/],
    ['bytes', Buffer.from('bytes'), 'bytes', /^undefined/],
    ['a blob', new Blob(['blob'], { type: 'a/b' }), 'blob', /^a\/b/],
    ['parameters', new URLSearchParams({ a: 'b c' }), 'a=b+c', /^application\/x-www-form-urlencoded/],
    ['a stream', new Blob(['stream']).stream(), 'stream', /^undefined/],
  ])('sends %s as the platform does', async (_, body, sent, type) => {
    await (await context.client.fetch(at, { method: 'post', body, duplex: 'half' })).text();
    const [request] = upstream.requests;
    expect([request?.method, request?.body]).toEqual(['POST', sent]);
    expect(String(request?.headers['content-type'])).toMatch(type);
  });

  it('takes method, headers, body and signal of a Request, and what stands beside it before them', async () => {
    const request = new Request(at, {
      method: 'PUT',
      body: 'of the request',
      headers: { 'x-a': '1', 'x-version': '2' },
    });
    await (await context.client.fetch(request)).text();
    await (
      await context.client.fetch(new Request(at, { method: 'PUT', body: 'x' }), {
        body: 'beside',
        headers: { 'x-a': '3' },
      })
    ).text();
    expect(upstream.requests).toMatchObject([
      { method: 'PUT', body: 'of the request', headers: { 'x-a': '1', 'x-version': '2' } },
      { method: 'PUT', body: 'beside', headers: { 'x-a': '3', 'x-version': '1' } },
    ]);
    const aborted = new Request(at, { signal: AbortSignal.abort(new Error('mine')) });
    await expect(context.client.fetch(aborted)).rejects.toThrow('mine');
  });

  it('takes credentials and framing of others away, and sends ours', async () => {
    const theirs = {
      authorization: 'Bearer theirs',
      cookie: 'theirs',
      'x-api-key': 'theirs',
      'api-key': 'theirs',
      'proxy-authorization': 'theirs',
      baggage: 'theirs',
      'content-length': '3',
      'transfer-encoding': 'chunked',
      host: 'theirs',
      connection: 'close',
      'x-kept': 'kept',
    };
    await (await context.client.fetch(at, { method: 'POST', body: 'longer than three', headers: theirs })).text();
    const [request] = upstream.requests;
    expect(request?.headers).toMatchObject({ authorization: 'Bearer ours', 'x-kept': 'kept', 'content-length': '17' });
    expect(JSON.stringify(request?.headers)).not.toContain('theirs');
    expect(request?.body).toBe('longer than three');
  });

  it('answers the probe of SDKs itself, and no other data URL', async () => {
    const probe = await context.client.fetch('data:,');
    expect([probe.constructor, await probe.text()]).toEqual([Response, '']);
    await expect(codeOf(context.client.fetch('data:,x'))).resolves.toBe('egress_outside_base_url');
  });

  it('sends nothing to an address outside or malformed, as text, URL or Request', async () => {
    const trap = await startUpstream();
    const { app, client } = await egressApp(modelService, { baseUrl: VECTOR_BASE });
    for (const vector of [...OUTSIDE, ...MALFORMED]) {
      if (vector === 'data:,') continue;
      await expect(codeOf(client.fetch(vector))).resolves.toMatch(/^egress_(outside_base_url|url_malformed)$/);
    }
    for (const input of [new URL(trap.origin), new Request(`${trap.origin}/v1`), `${trap.origin}/v1`]) {
      await expect(codeOf(context.client.fetch(input))).resolves.toBe('egress_outside_base_url');
    }
    await app.close();
    expect([trap.connections.opened, upstream.requests.length]).toEqual([0, 0]);
    await trap.close();
  });

  it.each<[string, RequestInit]>([
    ['a method that is none', { method: 'GET /x' }],
    ['a method of proxies', { method: 'connect' }],
    ['a header that cannot be sent', { headers: { 'x-a': 'secret\r\nx-b: 1' } }],
    ['a body where there is no place for one', { body: 'x' }],
  ])('refuses %s as an answer, without its words', async (_, init) => {
    const response = await context.client.fetch(at, init);
    expect(response.status).toBe(400);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-egress-error': 'egress_arguments_invalid',
      'x-should-retry': 'false',
    });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      type: 'error',
      error: { type: 'egress_arguments_invalid', code: 'egress_arguments_invalid' },
    });
    expect(text).not.toContain('secret');
    expect(upstream.requests).toEqual([]);
  });

  it.each([400, 401, 404, 429, 500])('hands on status %i with its body', async (status) => {
    upstream.answer(json({ error: 'theirs' }, status, { 'x-a': 'b' }));
    const response = await context.client.fetch(at);
    expect([response.status, response.headers.get('x-a'), await response.json()]).toEqual([
      status,
      'b',
      { error: 'theirs' },
    ]);
  });

  it('hands on answers without a body', async () => {
    upstream.answer((response) => response.writeHead(204).end());
    expect((await context.client.fetch(at)).body).toBeNull();
    upstream.answer((response) => response.writeHead(200, { 'content-length': '5' }).end());
    expect(await (await context.client.fetch(at, { method: 'HEAD' })).text()).toBe('');
  });

  it('throws what may pass: no connection, no time', async () => {
    const closed = await startUpstream();
    await closed.close();
    const { app, client } = await egressApp(modelService, { baseUrl: closed.origin });
    await expect(client.fetch(client.baseUrl)).rejects.toMatchObject({
      code: 'egress_unavailable',
      operation: 'fetch',
    });
    await app.close();
    upstream.answer(() => undefined);
    const slow = await egressApp(modelService, { baseUrl: upstream.origin, headersTimeoutMs: 50 });
    await expect(slow.client.fetch(slow.client.baseUrl)).rejects.toMatchObject({ code: 'egress_timeout' });
    await slow.app.close();
  });

  it('throws the reason of a caller that aborts, before and in the middle of the body, and closes the connection', async () => {
    const caller = new AbortController();
    const isClosed = endless();
    const response = await context.client.fetch(at, { signal: caller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const waiting = reader.read();
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(until(isClosed)).resolves.toBeLessThan(AT_ONCE_MS);
    await expect(context.client.fetch(at, { signal: caller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('closes the connection of a body that is cancelled, also before its first chunk', async () => {
    const isClosed = endless();
    await (await context.client.fetch(at)).body?.cancel();
    await expect(until(isClosed)).resolves.toBeLessThan(AT_ONCE_MS);
  });

  it('fails with our own error, and no AbortError, where the body is not whole', async () => {
    upstream.answer((response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x');
      setTimeout(() => response.destroy(), 10);
    });
    const error: unknown = await (await context.client.fetch(at)).text().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EgressError);
    expect(error).toMatchObject({ code: 'egress_stream_interrupted', operation: 'fetch' });
  });

  it('counts a body decoded', async () => {
    const answer = (bytes: number): void =>
      upstream.answer((response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(bytes))),
      );
    answer(1_000_000);
    expect(await (await context.client.fetch(at)).text()).toHaveLength(1_000_000);
    answer(50_000_000);
    await expect((await context.client.fetch(at)).text()).rejects.toMatchObject({ code: 'egress_response_too_large' });
  });

  it('reads no faster than it is read', async () => {
    let written = 0;
    upstream.answer((response) => {
      response.writeHead(200);
      const go = (): void => {
        while (written < 100_000_000 && response.write(Buffer.alloc(65_536))) written += 65_536;
        if (!response.destroyed) response.once('drain', go);
      };
      go();
    });
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, maxResponseBytes: 200_000_000 });
    const response = await client.fetch(client.baseUrl);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toBeLessThan(30_000_000);
    await reader.cancel();
    await app.close();
  });

  it('has no network where handlers are all there is', async () => {
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, handlersOnly: true });
    await expect(codeOf(client.fetch(client.baseUrl))).resolves.toBe('egress_handler_missing');
    await app.close();
    expect(upstream.requests).toEqual([]);
  });
});
