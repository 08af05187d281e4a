import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { ndjson, sse, type EgressStream } from '../../lib/egress/index.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { messages, modelService } from './support/model-service.js';
import { json, startUpstream, until, type Upstream } from './support/upstream.js';

const question = { question: 'q' };
/** What a closing may take on a loaded machine; it is a few milliseconds on an idle one. */
const AT_ONCE_MS = 500;

async function textOf(stream: EgressStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('stream', () => {
  let upstream: Upstream;
  let context: EgressApp<typeof modelService>;
  let responses: ServerResponse[] = [];

  beforeAll(async () => {
    upstream = await startUpstream();
    context = await egressApp(modelService, {
      baseUrl: upstream.origin,
      timeoutMs: 10_000,
      maxResponseBytes: 200_000_000,
    });
  });
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
  });

  /** Answers with chunks and then does nothing: the reply is neither complete nor broken. */
  function hang(...chunks: string[]): void {
    responses = [];
    upstream.answer((response) => {
      responses.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      for (const chunk of chunks) response.write(chunk);
    });
  }

  function isCut(index = 0): boolean {
    const response = responses[index];
    return response !== undefined && response.destroyed && !response.writableFinished;
  }

  it('sends what invoke sends, and yields the body as it arrives', async () => {
    upstream.answer(json({ text: 'hello' }));
    await context.client.invoke(messages, question);
    const stream = context.client.stream(messages, question);
    await expect(textOf(stream)).resolves.toBe('{"text":"hello"}');
    const [invoked, streamed] = upstream.requests.slice(-2);
    expect(streamed).toEqual(invoked);
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('yields a chunk while the next one is not there yet', async () => {
    hang('first');
    const stream = context.client.stream(messages, question);
    const { value } = await stream.next();
    expect(Buffer.from(value as Uint8Array).toString()).toBe('first');
    const second = stream.next();
    responses[0]?.end('second');
    expect(Buffer.from((await second).value as Uint8Array).toString()).toBe('second');
    await expect(stream.next()).resolves.toMatchObject({ done: true });
  });

  it('unpacks a compressed body', async () => {
    upstream.answer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')));
    await expect(textOf(context.client.stream(messages, question))).resolves.toBe('packed');
  });

  it('yields nothing of an empty body, and ends', async () => {
    upstream.answer((response) => response.writeHead(204).end());
    await expect(textOf(context.client.stream(messages, question))).resolves.toBe('');
  });

  it.each<[string, (stream: EgressStream) => Promise<unknown>]>([
    [
      'leaving the loop',
      async (stream) => {
        for await (const _ of stream) break;
      },
    ],
    [
      'an error in the loop',
      async (stream) => {
        const loop = async (): Promise<void> => {
          for await (const _ of stream) throw new Error('mine');
        };
        await expect(loop()).rejects.toThrow('mine');
      },
    ],
    [
      'return() before the first next()',
      async (stream) => {
        await until(() => responses.length === 1);
        await expect(stream.return()).resolves.toEqual({ done: true, value: undefined });
      },
    ],
    [
      'return() while a chunk is waited for',
      async (stream) => {
        await stream.next();
        const waiting = stream.next();
        await stream.return();
        await expect(waiting).resolves.toEqual({ done: true, value: undefined });
      },
    ],
    [
      'throw()',
      async (stream) => {
        await stream.next();
        await expect(stream.throw(new Error('mine'))).rejects.toThrow('mine');
      },
    ],
    [
      'await using',
      async (stream) => {
        await stream.next();
        await stream[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]();
      },
    ],
    [
      'closing the events read from it',
      async (stream) => {
        for await (const _ of sse(stream)) break;
      },
    ],
  ])('closes the connection at once: %s', async (_, leave) => {
    hang('data: a\n\n');
    const stream = context.client.stream(messages, question);
    await leave(stream);
    await until(() => isCut(), AT_ONCE_MS);
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('sends nothing after return() where it was not sent yet', async () => {
    const before = upstream.requests.length;
    const stream = context.client.stream(messages, question);
    await stream.return();
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(upstream.requests).toHaveLength(before);
  });

  it('ends with the caller, in the middle of the body, with an error of ours', async () => {
    hang('data: a\n\n');
    const caller = new AbortController();
    const stream = context.client.stream(messages, question, { signal: caller.signal });
    await stream.next();
    const waiting = stream.next();
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'egress_cancelled', name: 'EgressError' });
    await until(() => isCut(), AT_ONCE_MS);
  });

  it.each([
    ['the time-out', { timeoutMs: 400 }, 'egress_timeout'],
    ['the deadline', { deadline: 400 }, 'deadline_exceeded'],
  ])('ends with %s, in the middle of the body, with an error that stays', async (_, options, code) => {
    hang('data: a\n\n');
    const relative = 'deadline' in options ? { deadline: Date.now() + options.deadline } : options;
    const stream = context.client.stream(messages, question, relative);
    await stream.next();
    await expect(stream.next()).rejects.toMatchObject({ code });
    await expect(stream.next()).rejects.toMatchObject({ code });
    await until(() => isCut(), AT_ONCE_MS);
  });

  it('sends nothing where no time is left', async () => {
    const before = upstream.requests.length;
    const stream = context.client.stream(messages, question, { deadline: Date.now() - 1 });
    await expect(stream.next()).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const call = context.client.invoke(messages, question, { deadline: Date.now() - 1 });
    await expect(call).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(upstream.requests).toHaveLength(before);
  });

  it('is no unhandled rejection where nobody ever asks', async () => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', listener);
    context.client.stream(messages, { question: 5 as never });
    context.client.stream('no such operation', {});
    upstream.answer((response) => response.writeHead(500).end());
    context.client.stream(messages, question);
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.off('unhandledRejection', listener);
    expect(rejections).toEqual([]);
  });

  it('closes a reply that nobody reads when its time is over', async () => {
    hang('data: a\n\n');
    context.client.stream(messages, question, { timeoutMs: 50 });
    await until(() => isCut());
  });

  it('raises what invoke would raise, before the first chunk', async () => {
    const stream = context.client.stream(messages, { question: 5 as never });
    await expect(stream.next()).rejects.toMatchObject({ code: 'egress_arguments_invalid' });
    const unknown = context.client.stream('constructor', {});
    await expect(unknown.next()).rejects.toMatchObject({ code: 'egress_operation_unknown' });
  });

  it.each([
    ['a chunked body', {}],
    ['a body of known length', { 'content-length': '1000' }],
  ])('never takes the end of a connection for the end of %s', async (_, headers) => {
    upstream.answer((response) => {
      response.writeHead(200, { ...headers });
      response.write('data: a\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    const stream = context.client.stream(messages, question);
    await stream.next();
    await expect(stream.next()).rejects.toMatchObject({ code: 'egress_stream_interrupted', retryable: true });
    await expect(stream.next()).rejects.toMatchObject({ code: 'egress_stream_interrupted' });
  });

  it('never takes a compressed body that breaks off for a complete one', async () => {
    const packed = gzipSync(Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from(String(Math.random())))));
    upstream.answer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(packed.subarray(0, packed.length / 2));
      setTimeout(() => response.destroy(), 20);
    });
    await expect(textOf(context.client.stream(messages, question))).rejects.toMatchObject({
      code: 'egress_stream_interrupted',
    });
  });

  it('holds the upstream back while the reader is slow', async () => {
    const chunk = 'x'.repeat(64 * 1_024);
    let written = 0;
    upstream.answer((response) => {
      const more = (): void => {
        while (written < 100_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const stream = context.client.stream(messages, question);
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const held = written;
    expect(held).toBeLessThan(20_000_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(written).toBe(held);
    await stream.return();
  });

  it('keeps the async context of the call', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const remove = context.handlers.on(modelService, messages, () => {
      seen.push(storage.getStore());
      return { text: '' };
    });
    const stream = storage.run('caller', () => context.client.stream(messages, question));
    await storage.run('reader', () => textOf(stream));
    remove();
    expect(seen).toEqual(['caller']);
  });

  it('reads lines and events off the wire, cut anywhere', async () => {
    upstream.answer((response) => {
      const bytes = Buffer.from('data: {"a":"€"}\n\ndata: [DONE]\n\n');
      response.writeHead(200);
      let at = 0;
      const timer = setInterval(() => {
        if (at < bytes.length) return void response.write(bytes.subarray(at, (at += 3)));
        clearInterval(timer);
        response.end();
      }, 1);
    });
    const events = [];
    for await (const event of sse(context.client.stream(messages, question), { until: '[DONE]' })) events.push(event);
    expect(events).toEqual([{ event: undefined, data: '{"a":"€"}', id: undefined }]);
    upstream.answer((response) => response.end('{"a":1}\n{"a":2}\n'));
    const values = [];
    for await (const value of ndjson(context.client.stream(messages, question))) values.push(value);
    expect(values).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

describe('the limits of a service', () => {
  it.each([
    ['idleTimeoutMs', { idleTimeoutMs: 400 }, 'egress_timeout'],
    ['timeoutMs', { timeoutMs: 400 }, 'egress_timeout'],
    ['maxResponseBytes', { maxResponseBytes: 12 }, 'egress_response_too_large'],
  ])('hold for a stream in mid-body and for invoke alike: %s', async (_, limits, code) => {
    let cut = 0;
    const upstream = await startUpstream((response) => {
      response.on('close', () => cut++);
      response.write('{"text":"a');
      setTimeout(() => response.write('bcdefgh'), 20);
    });
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, ...limits });
    await expect(client.invoke(messages, question)).rejects.toMatchObject({ code });
    const stream = client.stream(messages, question);
    await expect(stream.next()).resolves.toMatchObject({ done: false });
    await expect(textOf(stream)).rejects.toMatchObject({ code });
    await until(() => cut === 2, AT_ONCE_MS);
    await app.close();
    await upstream.close();
  });

  it('does not count the time that the reader takes as idle', async () => {
    const upstream = await startUpstream((response) => {
      response.write('a');
      setTimeout(() => response.end('b'), 10);
    });
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, idleTimeoutMs: 400 });
    const stream = client.stream(messages, question);
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 150));
    await expect(stream.next()).resolves.toMatchObject({ done: false });
    await expect(stream.next()).resolves.toMatchObject({ done: true });
    await app.close();
    await upstream.close();
  });

  it('leave no timer behind when a call is over, however it ended', async () => {
    const upstream = await startUpstream(json({ text: 'a' }));
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, timeoutMs: 3_600_000 });
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await client.invoke(messages, question);
    const before = timers();
    await client.invoke(messages, question);
    await textOf(client.stream(messages, question));
    await client.stream(messages, question).return();
    await expect(client.invoke(messages, { question: 1 as never })).rejects.toThrow();
    upstream.answer((response) => response.writeHead(500).end());
    await expect(client.invoke(messages, question)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(timers()).toBeLessThanOrEqual(before);
    await app.close();
    await upstream.close();
  });
});
