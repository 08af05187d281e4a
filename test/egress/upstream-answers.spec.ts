import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { EgressError, headerCredential } from '../../lib/egress/index.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { messages, modelService } from './support/model-service.js';
import { json, startUpstream, until, type Upstream } from './support/upstream.js';

const secret = 'sk-very-secret-1234';

describe('what an upstream answers', () => {
  let upstream: Upstream;
  let context: EgressApp<typeof modelService>;

  beforeAll(async () => {
    upstream = await startUpstream();
    context = await egressApp(modelService, {
      baseUrl: upstream.origin,
      credentials: headerCredential('X-Api-Key', () => secret),
      maxResponseBytes: 10_000,
    });
  });
  beforeEach(() => upstream.answer(json({ text: 'hello' })));
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
  });

  /** The same call by `invoke` and by `stream`: both have to say the same of it. */
  async function failures(): Promise<[EgressError, EgressError]> {
    const invoked: unknown = await context.client.invoke(messages, { question: 'q' }).catch((error: unknown) => error);
    const streamed: unknown = await context.client
      .stream(messages, { question: 'q' })
      .next()
      .catch((error: unknown) => error);
    return [invoked, streamed] as [EgressError, EgressError];
  }

  it.each([
    [400, 'egress_rejected', false],
    [404, 'egress_rejected', false],
    [409, 'egress_rejected', false],
    [413, 'egress_rejected', false],
    [422, 'egress_rejected', false],
    [401, 'egress_credentials_rejected', false],
    [403, 'egress_credentials_rejected', false],
    [402, 'egress_unavailable', false],
    [405, 'egress_unavailable', false],
    [410, 'egress_unavailable', false],
    [451, 'egress_unavailable', false],
    [408, 'egress_unavailable', true],
    [425, 'egress_unavailable', true],
    [429, 'egress_throttled', true],
    [500, 'egress_unavailable', true],
    [501, 'egress_unavailable', false],
    [502, 'egress_unavailable', true],
    [503, 'egress_unavailable', true],
    [504, 'egress_unavailable', true],
    [529, 'egress_unavailable', true],
    [301, 'egress_redirect_refused', false],
    [304, 'egress_redirect_refused', false],
    [307, 'egress_redirect_refused', false],
  ])('maps status %i to %s, retryable: %s', async (status, code, retryable) => {
    upstream.answer((response) => response.writeHead(status).end());
    for (const error of await failures()) {
      expect(error).toBeInstanceOf(EgressError);
      expect(error).toMatchObject({
        code,
        retryable,
        upstreamStatus: status,
        service: 'model',
        operation: 'messages',
      });
    }
  });

  it('keeps what an error body says in the known places, as untrusted text, and nothing else', async () => {
    const noisy = `no\u0000 such\r\nmodel ${secret} ${'x'.repeat(1_000)}`;
    const body = {
      error: { message: noisy, type: 'invalid', code: 17, param: 'hidden' },
      message: ['hidden'],
      trace: 'hidden',
    };
    upstream.answer(json(body, 404));
    for (const error of await failures()) {
      const { upstream: text } = error.details as { upstream: Record<string, string> };
      expect(text).toMatchObject({ 'error.type': 'invalid', 'error.code': 17 });
      expect(text['error.message']).toMatch(/^no such model \[redacted\] x+$/);
      expect(text['error.message']).toHaveLength(300);
      expect(JSON.stringify(error.details) + error.message + error.stack).not.toMatch(/hidden|very-secret/);
    }
  });

  it('keeps no message of an answer about our credential', async () => {
    upstream.answer(json({ error: { message: `bad key ${secret.slice(0, 6)}***`, type: 'auth' } }, 401));
    for (const error of await failures()) {
      expect(error.details).toEqual({ status: 401, upstream: { 'error.type': 'auth' } });
    }
  });

  it.each([
    ['not json'],
    ['[1,2]'],
    ['"text"'],
    [''],
    ['{"error":"text"}'],
    ['{"message":{"a":1}}'],
    ['{"__proto__":{"message":"x"}}'],
  ])('makes nothing of the error body %j', async (body) => {
    upstream.answer((response) => response.writeHead(500).end(body));
    for (const error of await failures()) expect(error.details).toEqual({ status: 500 });
  });

  it('reads 4 KiB of an error body that has no end, and closes the connection', async () => {
    let cut = 0;
    upstream.answer((response) => {
      response.writeHead(500);
      const timer = setInterval(() => response.write('x'.repeat(1_024)), 1);
      response.on('close', () => {
        clearInterval(timer);
        cut++;
      });
    });
    for (const error of await failures()) expect(error.code).toBe('egress_unavailable');
    await until(() => cut === 2);
  });

  it.each([
    [{ 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '1', 'retry-after-ms': '20' }, 20],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
  ])('tells when to try again: %j', async (headers, retryAfterMs) => {
    upstream.answer(json({}, 429, headers));
    for (const { details } of await failures())
      expect(Reflect.get(details as object, 'retryAfterMs')).toBe(retryAfterMs);
  });

  it.each([
    ['not json', 'it is not JSON'],
    ['', 'it is not JSON'],
    ['{"text":5}', 'each fault is listed in `details`'],
    ['{"text":"secret-value","toolCall":{"name":1}}', 'each fault is listed'],
    ['[]', 'each fault is listed'],
  ])('refuses the reply %j of an invoke', async (body, words) => {
    upstream.answer((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    const call = context.client.invoke(messages, { question: 'q' });
    await expect(call).rejects.toMatchObject({ code: 'egress_response_invalid' });
    await expect(call).rejects.toThrow(words);
    await expect(call).rejects.not.toThrow('secret-value');
  });

  it('refuses a reply that is not UTF-8', async () => {
    upstream.answer((response) => response.end(Buffer.from('{"text":"ü"}', 'latin1')));
    await expect(context.client.invoke(messages, { question: 'q' })).rejects.toMatchObject({
      code: 'egress_response_invalid',
    });
  });

  it('counts the bytes of a reply decoded, and takes one of exactly the limit', async () => {
    const exact = JSON.stringify({ text: 'x'.repeat(10_000 - '{"text":""}'.length) });
    upstream.answer((response) => response.end(exact));
    await expect(context.client.invoke(messages, { question: 'q' })).resolves.toHaveProperty('text');
    const bomb = gzipSync(`{"text":"${'x'.repeat(50_000_000)}"}`);
    expect(bomb.length).toBeLessThan(100_000);
    upstream.answer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    await expect(context.client.invoke(messages, { question: 'q' })).rejects.toMatchObject({
      code: 'egress_response_too_large',
      retryable: false,
    });
  });

  it('takes a compressed reply', async () => {
    upstream.answer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"text":"packed"}'));
    });
    await expect(context.client.invoke(messages, { question: 'q' })).resolves.toMatchObject({ text: 'packed' });
  });

  it('takes a reply that breaks off for an interruption', async () => {
    upstream.answer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"text":');
      setTimeout(() => response.destroy(), 10);
    });
    await expect(context.client.invoke(messages, { question: 'q' })).rejects.toMatchObject({
      code: 'egress_stream_interrupted',
      retryable: true,
    });
  });
});

describe('an upstream that does not speak', () => {
  it('is unavailable where nobody listens, with the system code and without an address of ours', async () => {
    const closed = await startUpstream();
    await closed.close();
    const { app, client } = await egressApp(modelService, { baseUrl: closed.origin });
    const call = client.invoke(messages, { question: 'q' });
    await expect(call).rejects.toMatchObject({ code: 'egress_unavailable', retryable: true });
    await expect(call).rejects.toThrow('ECONNREFUSED');
    await app.close();
  });

  it.each([
    ['closes at once', '', true],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', false],
  ])('is unavailable where it %s', async (_, greeting, retryable) => {
    const server = await rawServer(greeting);
    const { app, client } = await egressApp(modelService, {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    await expect(client.invoke(messages, { question: 'q' })).rejects.toMatchObject({
      code: 'egress_unavailable',
      retryable,
    });
    await app.close();
    server.close();
  });

  it('is unavailable for good where it has no TLS', async () => {
    const server = await rawServer('HTTP/1.1 200 OK\r\n\r\n');
    const { app, client } = await egressApp(modelService, {
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    await expect(client.invoke(messages, { question: 'q' })).rejects.toMatchObject({
      code: 'egress_unavailable',
      retryable: false,
    });
    await app.close();
    server.close();
  });
});

function rawServer(greeting: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(greeting));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
