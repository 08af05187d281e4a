import {
  Controller,
  Get,
  Injectable,
  Param,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AgentCall,
  Caller,
  OperationCatalogue,
  Operation,
  OperationDispatcher,
  type AgentCallInfo,
  type CallerContext,
} from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS, type Platform } from '../../support/application.js';
import { bootDispatching, type Dispatching } from '../../support/dispatching.js';
import { requestOf } from './support/request.js';

interface Told {
  readonly application: string;
  readonly depth?: number;
  readonly inner?: unknown;
}

let runs: string[] = [];

/** An application whose operation calls that of another application, which has the same names, and so on. */
async function bootAsking(platform: Platform, name: string, other: () => Dispatching): Promise<Dispatching> {
  @Controller('shared')
  class SharedController {
    @Operation() @Get('ask/:left') async ask(
      @Param('left') left: string,
      @Caller() caller: CallerContext,
      @AgentCall() call: AgentCallInfo | undefined,
    ): Promise<Told> {
      runs.push(name);
      const told = { application: name, ...(call && { depth: call.depth }) };
      if (left === '0') return told;
      const inner = await other().call('shared__ask', { left: String(Number(left) - 1) }, caller);
      return { ...told, inner: inner.content };
    }
  }
  return bootDispatching(platform, { controllers: [SharedController] });
}

const PAIRS: readonly (readonly [Platform, Platform])[] = [
  ['express', 'express'],
  ['express', 'fastify'],
  ['fastify', 'fastify'],
];

describe.each(PAIRS)('two applications in one process, on %s and %s,', (onePlatform, otherPlatform) => {
  let one: Dispatching;
  let other: Dispatching;

  beforeAll(async () => {
    one = await bootAsking(onePlatform, 'one', () => other);
    other = await bootAsking(otherPlatform, 'other', () => one);
  });
  beforeEach(() => {
    runs = [];
  });
  afterAll(closeApplications);

  it('call each other, each through its own pipeline, at its own depth', async () => {
    expect((await one.call('shared__ask', { left: '3' })).content).toEqual({
      application: 'one',
      depth: 1,
      inner: {
        application: 'other',
        depth: 1,
        inner: { application: 'one', depth: 2, inner: { application: 'other', depth: 2 } },
      },
    });
    expect(runs).toEqual(['one', 'other', 'one', 'other']);
  });

  it('stop calling each other at the bound', async () => {
    const { content } = await one.call('shared__ask', { left: '100' });
    expect(runs).toEqual(Array(4).fill(['one', 'other']).flat());
    expect(JSON.stringify(content)).toContain('"code":"dispatch_recursion"');
  });

  it('do not take a plain request for a tool call, whoever sends it', async () => {
    const answer = await request(other.app.getHttpServer() as never).get('/shared/ask/1');
    expect(answer.body).toEqual({ application: 'other', inner: { application: 'one', depth: 1 } });
  });

  it('have palettes of their own', async () => {
    const call = { id: 'call-1', name: 'shared__ask', arguments: { left: '0' } };
    const dispatch = (palette: Dispatching['palette']) =>
      one.app.get(OperationDispatcher).dispatch(call, { palette, caller: { headers: {} } });
    await expect(dispatch(other.palette)).rejects.toMatchObject({ code: 'dispatch_before_init' });
    expect(runs).toEqual([]);
    expect((await dispatch(one.palette)).content).toMatchObject({ application: 'one' });
    const [oneOperation, otherOperation] = [one, other].map(({ app }) =>
      app.get(OperationCatalogue).operations.get('shared.ask'),
    );
    expect(oneOperation?.controller).not.toBe(otherOperation?.controller);
  });

  it('end on their own', async () => {
    const third = await bootAsking(otherPlatform, 'third', () => one);
    expect((await third.call('shared__ask', { left: '1' })).content).toMatchObject({ inner: { application: 'one' } });
    await third.app.close();
    expect((await one.call('shared__ask', { left: '0' })).content).toEqual({ application: 'one', depth: 1 });
  });
});

interface Nested {
  readonly depth: number;
  readonly deadline: number;
  readonly inner?: unknown;
}

let signals: AbortSignal[] = [];
let reached: () => void = () => undefined;

@Controller('nested')
class NestedController {
  static dispatching: Dispatching;

  @Operation() @Get('again/:left') async again(
    @Param('left') left: string,
    @Caller() caller: CallerContext,
    @AgentCall() call: AgentCallInfo,
  ): Promise<Nested> {
    runs.push('again');
    const { depth, deadline } = call;
    if (left === '0') return { depth, deadline };
    const inner = await NestedController.dispatching.call('nested__again', { left: String(Number(left) - 1) }, caller);
    return { depth, deadline, inner: inner.content };
  }

  @Operation() @Get('waiting') async waiting(@Caller() caller: CallerContext): Promise<unknown> {
    return (await NestedController.dispatching.call('nested__slow', {}, caller)).content;
  }

  @Operation() @Get('slow') async slow(@Caller() caller: CallerContext): Promise<string> {
    const signal = caller.signal as AbortSignal;
    signals.push(signal);
    reached();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return 'late';
  }
}

describe.each(PLATFORMS)('a tool call within a tool call on %s', (platform) => {
  beforeAll(async () => {
    NestedController.dispatching = await bootDispatching(platform, { controllers: [NestedController] });
  });
  beforeEach(() => {
    runs = [];
    signals = [];
  });
  afterAll(closeApplications);

  const call: Dispatching['call'] = (...args) => NestedController.dispatching.call(...args);
  const whenReached = () => new Promise<void>((resolve) => (reached = resolve));
  const turn = () => new Promise((resolve) => setTimeout(resolve, 10));

  it('runs up to the bound', async () => {
    const { content } = await call('nested__again', { left: '3' });
    expect(runs).toHaveLength(4);
    expect(content).toMatchObject({ depth: 1, inner: { depth: 2, inner: { depth: 3, inner: { depth: 4 } } } });
  });

  it('is refused past the bound, in words that a model can read', async () => {
    const { content } = await call('nested__again', { left: '4' });
    expect(runs).toHaveLength(4);
    expect(content).toMatchObject({
      inner: { inner: { inner: { inner: { code: 'dispatch_recursion', message: expect.stringContaining('4') } } } },
    });
  });

  it('is free again afterwards, also side by side', async () => {
    await call('nested__again', { left: '100' });
    const results = await Promise.all(Array.from({ length: 10 }, () => call('nested__again', { left: '3' })));
    expect(results.map(({ content }) => (content as Nested).depth)).toEqual(Array(10).fill(1));
    expect(JSON.stringify(results)).not.toContain('dispatch_recursion');
  });

  it('has no more time than the call that it is in', async () => {
    const deadline = Date.now() + 5_000;
    const { content } = await call('nested__again', { left: '2' }, { deadline });
    expect(content).toMatchObject({ deadline, inner: { deadline, inner: { deadline } } });
  });

  it('ends at the deadline of the call that it is in', async () => {
    await expect(call('nested__waiting', {}, { deadline: Date.now() + 700 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      operation: 'nested.waiting',
    });
    await turn();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('ends when the caller of the call that it is in goes away', async () => {
    const controller = new AbortController();
    const begun = whenReached();
    const pending = call('nested__waiting', {}, { signal: controller.signal });
    await begun;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'dispatch_cancelled', operation: 'nested.waiting' });
    await turn();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

interface UserRequest {
  user?: string;
}

@Injectable()
class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const incoming = requestOf(context) as ReturnType<typeof requestOf> & UserRequest;
    const [, token] = incoming.headers['authorization']?.split(' ') ?? [];
    if (token === undefined) throw new UnauthorizedException();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    incoming.user = token;
    return token !== 'user-13';
  }
}

@Controller('identities')
@UseGuards(TokenGuard)
class IdentitiesController {
  @Operation() @Get(':id') async read(
    @Param('id') id: string,
    @Caller() caller: CallerContext,
    @AgentCall() call: AgentCallInfo | undefined,
  ): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    return {
      id,
      token: caller.headers['authorization'],
      address: caller.remoteAddress,
      isToolCall: call !== undefined,
    };
  }
}

describe.each(PLATFORMS)('calls side by side on %s', (platform) => {
  afterEach(closeApplications);

  const numbers = Array.from({ length: 50 }, (_none, n) => n);
  const refused = { code: 'forbidden', message: 'Forbidden resource' };

  it('have each its own identity, also with requests among them', async () => {
    const { app, call } = await bootDispatching(platform, { controllers: [IdentitiesController] });
    const server = app.getHttpServer() as never;
    const told = (n: number, more: object) => ({ id: `note-${n}`, token: `Bearer user-${n}`, ...more });
    const calls = numbers.map((n) =>
      call(
        'identities__read',
        { id: `note-${n}` },
        { headers: { authorization: `Bearer user-${n}` }, remoteAddress: `192.0.2.${n}` },
      ),
    );
    const requests = numbers
      .slice(20, 30)
      .map((n) => request(server).get(`/identities/note-${n}`).set('authorization', `Bearer user-${n}`));
    const [results, answers] = await Promise.all([Promise.all(calls), Promise.all(requests)]);
    expect(results.map(({ content }) => content)).toEqual(
      numbers.map((n) => (n === 13 ? refused : told(n, { address: `192.0.2.${n}`, isToolCall: true }))),
    );
    expect(answers.map(({ body }) => body as unknown)).toEqual(
      numbers.slice(20, 30).map((n) => told(n, { address: expect.stringContaining('127.0.0.1'), isToolCall: false })),
    );
  });
});
