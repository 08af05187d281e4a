import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EgressHandlers, bearer, egressOperation, egressService } from '../../lib/egress/index.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import {
  FileArgs,
  FileReply,
  ModelArgs,
  ModelReply,
  messages,
  modelService,
  readFile,
} from './support/model-service.js';
import { json, startUpstream, type Upstream } from './support/upstream.js';

describe('invoke', () => {
  let upstream: Upstream;
  let context: EgressApp<typeof modelService>;

  beforeAll(async () => {
    upstream = await startUpstream();
    context = await egressApp(modelService, {
      baseUrl: `${upstream.origin}/api`,
      credentials: bearer(() => 'secret-key'),
      headers: { 'x-version': '2024-01-01' },
    });
  });
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
  });

  it('sends the declared request and yields an instance of the declared reply', async () => {
    upstream.answer(json({ text: 'hello', unknown: 1 }));
    const reply = await context.client.invoke(messages, { question: 'hi' });
    expect(reply).toBeInstanceOf(ModelReply);
    expect(reply.text).toBe('hello');
    expect(upstream.requests.at(-1)).toMatchObject({
      method: 'POST',
      url: '/api/v1/messages',
      body: '{"question":"hi"}',
      headers: { authorization: 'Bearer secret-key', 'content-type': 'application/json', 'x-version': '2024-01-01' },
    });
  });

  it('places arguments into path, query and headers', async () => {
    upstream.answer(json({ id: 'a' }));
    await context.client.invoke(readFile, { id: 'a b/c?d', limit: 3, tenant: 'acme' });
    expect(upstream.requests.at(-1)).toMatchObject({
      method: 'GET',
      url: '/api/v1/files/a%20b%2Fc%3Fd?limit=3',
      body: '',
      headers: { 'x-tenant': 'acme' },
    });
  });

  it('finds an operation by name, and refuses a name that it does not have', async () => {
    upstream.answer(json({ text: 'by name' }));
    await expect(context.client.invoke('messages', { question: 'hi' })).resolves.toMatchObject({ text: 'by name' });
    await expect(context.client.invoke('constructor', {})).rejects.toMatchObject({ code: 'egress_operation_unknown' });
  });

  it('refuses an operation of another declaration that shares the name', async () => {
    const foreign = egressOperation({
      name: 'messages',
      method: 'POST',
      path: '/elsewhere',
      args: ModelArgs,
      returns: ModelReply,
    });
    await expect(context.client.invoke(foreign, { question: 'hi' })).rejects.toMatchObject({
      code: 'egress_operation_unknown',
    });
  });

  it('lets a handler answer, typed by the operation, after a JSON round trip', async () => {
    const remove = context.app.get(EgressHandlers).on(modelService, readFile, (args, call) => {
      expect(args).toBeInstanceOf(FileArgs);
      return { id: `${args.id} for ${call.headers.get('authorization') ?? ''}` };
    });
    const reply = await context.client.invoke(readFile, { id: '7' });
    remove();
    expect(reply).toBeInstanceOf(FileReply);
    expect(reply.id).toBe('7 for Bearer secret-key');
  });

  it('refuses a handler of another declaration', () => {
    const other = egressService({ name: 'model', operations: [messages] });
    expect(() => context.handlers.on(other, messages, () => ({ text: '' }))).toThrow(/egress_operation_unknown/);
  });

  it('is typed by the operation: arguments, reply, and nothing where only a name is known', async () => {
    upstream.answer(json({ text: 'typed' }));
    const text: string = (await context.client.invoke(messages, { question: 'hi' })).text;
    const untyped: unknown = await context.client.invoke('messages', { question: 'hi' });
    expect([text, untyped]).toEqual(['typed', { text: 'typed' }]);
    // @ts-expect-error An argument that is not declared.
    await expect(context.client.invoke(messages, { question: 'hi', other: 1 })).rejects.toThrow(
      'egress_arguments_invalid',
    );
    // @ts-expect-error An argument of another type.
    await expect(context.client.invoke(messages, { question: 1 })).rejects.toThrow('egress_arguments_invalid');
    // @ts-expect-error A property that the reply does not declare.
    expect((await context.client.invoke(messages, { question: 'hi' })).other).toBeUndefined();
    const foreign = egressOperation({ name: 'foreign', method: 'GET', path: '/' });
    // @ts-expect-error An operation of another service.
    await expect(context.client.invoke(foreign, {})).rejects.toThrow('egress_operation_unknown');
  });
});
