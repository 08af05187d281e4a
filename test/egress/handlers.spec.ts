import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  EgressReply,
  bearer,
  egressOperation,
  egressService,
  sse,
  type EgressHandler,
  type StandardSchema,
} from '../../lib/egress/index.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { messages, modelService, readFile } from './support/model-service.js';
import { until } from './support/upstream.js';

const question = { question: 'q' };
const settings = {
  baseUrl: 'https://api.provider.example/base',
  credentials: bearer(() => 'secret'),
  handlersOnly: true,
  maxResponseBytes: 1_000,
  idleTimeoutMs: 50,
  timeoutMs: 200,
};

describe('an in-process handler', () => {
  let context: EgressApp<typeof modelService>;
  beforeAll(async () => {
    context = await egressApp(modelService, settings);
  });
  afterAll(() => context.app.close());

  function answer(handler: EgressHandler<typeof messages>): void {
    context.handlers.on(modelService, messages, handler);
  }

  async function streamed(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of context.client.stream(messages, question)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  it('is missing where a service has handlers only and none answers', async () => {
    const call = context.client.invoke(readFile, { id: 'a' });
    await expect(call).rejects.toMatchObject({ code: 'egress_handler_missing', operation: 'readFile' });
    const remove = context.handlers.on(modelService, readFile, () => ({ id: 'b' }));
    await expect(context.client.invoke(readFile, { id: 'a' })).resolves.toEqual({ id: 'b' });
    remove();
    await expect(context.client.invoke(readFile, { id: 'a' })).rejects.toMatchObject({
      code: 'egress_handler_missing',
    });
  });

  it('sees the request as an upstream would', async () => {
    let seen: unknown;
    answer((_, { method, url, headers, body }) => {
      seen = { method, url: url.href, authorization: headers.get('authorization'), body };
      return { text: '' };
    });
    await context.client.invoke(messages, question);
    expect(seen).toEqual({
      method: 'POST',
      url: 'https://api.provider.example/base/v1/messages',
      authorization: 'Bearer secret',
      body: '{"question":"q"}',
    });
  });

  it('gets what JSON keeps of the arguments, and cannot reach the caller', async () => {
    const tool = { name: 'a', gone: undefined, at: new Date(0) };
    answer((args) => {
      expect(args.tools).toEqual([{ name: 'a', at: '1970-01-01T00:00:00.000Z' }]);
      (args.tools?.[0] as { name: string }).name = 'changed';
      return { text: '' };
    });
    await context.client.invoke(messages, { question: 'q', tools: [tool] });
    expect(tool.name).toBe('a');
  });

  it('has its reply checked as one from the wire', async () => {
    answer(() => ({ text: 5 as never }));
    await expect(context.client.invoke(messages, question)).rejects.toMatchObject({ code: 'egress_response_invalid' });
    answer(() => ({ text: 'a', at: new Date(0) }) as never);
    await expect(context.client.invoke(messages, question)).resolves.toEqual({
      text: 'a',
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('may answer with a status', async () => {
    answer(() => EgressReply.status(429, { message: 'later' }, { 'retry-after': '1' }));
    await expect(context.client.invoke(messages, question)).rejects.toMatchObject({
      code: 'egress_throttled',
      upstreamStatus: 429,
      details: { retryAfterMs: 1_000, upstream: { message: 'later' } },
    });
    answer(() => EgressReply.status(302, undefined, { location: 'https://evil.test' }));
    await expect(context.client.invoke(messages, question)).rejects.toMatchObject({ code: 'egress_redirect_refused' });
  });

  it('may answer with chunks, cut anywhere: a list, an async iterable, with a head', async () => {
    const bytes = Buffer.from('data: {"a":"€"}\n\ndata: [DONE]\n\n');
    const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
    async function* generated(): AsyncGenerator<Uint8Array | string> {
      yield* pieces;
    }
    for (const handler of [() => pieces, generated, () => EgressReply.chunks(pieces, { status: 201 })]) {
      answer(handler);
      const events = [];
      for await (const event of sse(context.client.stream(messages, question), { until: '[DONE]' }))
        events.push(event.data);
      expect(events).toEqual(['{"a":"€"}']);
    }
    answer(() => ['{"te', 'xt":"whole"}']);
    await expect(context.client.invoke(messages, question)).resolves.toEqual({ text: 'whole' });
    await expect(streamed()).resolves.toBe('{"text":"whole"}');
  });

  it.each<[string, EgressHandler<typeof messages>, string]>([
    ['more than the service may answer', () => ({ text: 'x'.repeat(2_000) }), 'egress_response_too_large'],
    ['nothing in time', () => new Promise<never>(() => undefined), 'egress_timeout'],
    [
      'a part, and then nothing in time',
      async function* (): AsyncGenerator<string> {
        yield '{';
        await new Promise(() => undefined);
      },
      'egress_timeout',
    ],
    [
      'a part, and then breaks',
      async function* (): AsyncGenerator<string> {
        yield '{';
        throw new Error('upstream died');
      },
      'egress_stream_interrupted',
    ],
    [
      'by throwing',
      () => {
        throw new Error('bug');
      },
      'egress_unavailable',
    ],
    ['a status that does not exist', () => EgressReply.status(42), 'egress_unavailable'],
    ['what is no JSON', () => ({ text: 1n }) as never, 'egress_unavailable'],
  ])('is held to the limits where it answers %s', async (_, handler, code) => {
    answer(handler);
    await expect(context.client.invoke(messages, question)).rejects.toMatchObject({ code });
    await expect(streamed()).rejects.toMatchObject({ code });
  });

  it('keeps what it threw as the cause, for whoever wrote it', async () => {
    answer(() => {
      throw new Error('bug');
    });
    await expect(context.client.invoke(messages, question)).rejects.toMatchObject({ cause: { message: 'bug' } });
  });

  it('is told when the reader leaves, and its chunks are let go of', async () => {
    let isReleased = false;
    let signal: AbortSignal | undefined;
    answer(async function* (_, call): AsyncGenerator<string> {
      signal = call.signal;
      try {
        for (;;) yield 'x';
      } finally {
        isReleased = true;
      }
    });
    for await (const _ of context.client.stream(messages, question)) break;
    await until(() => isReleased);
    expect(signal?.aborted).toBe(true);
  });

  it('makes chunks only as they are read', async () => {
    let made = 0;
    answer(async function* (): AsyncGenerator<string> {
      while (made < 100) yield String(made++);
    });
    const stream = context.client.stream(messages, question);
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).toBeLessThan(5);
    await stream.return();
  });

  it('goes through the same confinement and validation of arguments', async () => {
    let isCalled = false;
    const remove = context.handlers.on(modelService, readFile, () => {
      isCalled = true;
      return { id: '' };
    });
    await expect(context.client.invoke(readFile, { id: '..' })).rejects.toMatchObject({
      code: 'egress_path_parameter_invalid',
    });
    await expect(context.client.invoke(readFile, { id: 5 as never })).rejects.toMatchObject({
      code: 'egress_arguments_invalid',
    });
    expect(isCalled).toBe(false);
    remove();
  });
});

describe('handlers and production', () => {
  it('are refused without an explicit word', async () => {
    const { app, handlers } = await egressApp(modelService, settings, { production: true });
    expect(() => handlers.on(modelService, messages, () => ({ text: '' }))).toThrow(/^\[egress_handlers_forbidden\]/);
    await app.close();
  });

  it('answer with it', async () => {
    const { app, handlers, client } = await egressApp(modelService, settings, {
      production: true,
      allowHandlers: true,
    });
    handlers.on(modelService, messages, () => ({ text: 'ok' }));
    await expect(client.invoke(messages, question)).resolves.toEqual({ text: 'ok' });
    await app.close();
  });
});

describe('handlers of declarations', () => {
  it('are refused for an operation that is not of the service, and for a service that is not of the application', async () => {
    const { app, handlers } = await egressApp(modelService, settings);
    const foreign = egressOperation({ name: 'messages', method: 'POST', path: '/x' });
    expect(() => handlers.on(modelService, foreign as unknown as typeof messages, () => ({ text: '' }))).toThrow(
      /^\[egress_operation_unknown\]/,
    );
    const twin = egressService({ name: 'model', operations: [messages] });
    expect(() => handlers.on(twin, messages, () => ({ text: '' }))).toThrow(/another declaration of that name/);
    await app.close();
  });

  it('are typed by Standard Schemas as by classes', async () => {
    const args: StandardSchema<{ n: string }, { n: number }> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({ value: { n: Number((value as { n: string }).n) } }),
      },
    };
    const returns: StandardSchema<{ d: string }, Date> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({ value: new Date((value as { d: string }).d) }),
      },
    };
    const operation = egressOperation({ name: 'when', method: 'POST', path: '/when', args, returns });
    const service = egressService({ name: 'clock', operations: [operation] });
    const { app, client, handlers } = await egressApp(service, settings);
    handlers.on(service, operation, ({ n }) => ({ d: new Date(n).toISOString() }));
    const when: Date = await client.invoke(operation, { n: '1000' });
    expect(when.getTime()).toBe(1_000);
    await app.close();
  });

  it('answer operations without a reply', async () => {
    class Note {
      @IsString() text!: string;
    }
    const note = egressOperation({ name: 'note', method: 'POST', path: '/notes', args: Note });
    const service = egressService({ name: 'notes', operations: [note] });
    const { app, client, handlers } = await egressApp(service, settings);
    handlers.on(service, note, () => undefined);
    const nothing: undefined = await client.invoke(note, { text: 'a' });
    expect(nothing).toBeUndefined();
    await app.close();
  });
});
