import { Controller, Get, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { Caller, Operation, type CallerContext } from 'nestjs-palette';
import { catchError } from '../support/catch-error.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { watchProcess } from '../support/process-watch.js';
import { serve } from './support/applications.js';
import { challengeOf, serveProtected } from './support/protected-notes.js';
import { ERAS, LEGACY_HEADERS, messageIn, send, type RawAnswer } from './support/raw.js';
import { toolCall, withHeaders } from './support/tool-calls.js';

const seen = { calls: 0, running: 0, most: 0, aborted: 0, keys: [] as unknown[] };
let letAnswer: () => void = () => undefined;
let held: Promise<void> = Promise.resolve();

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query' }) @Get() read(): unknown {
    seen.calls += 1;
    return { notes: 1 };
  }
  @Operation() @Get('slow/:id') async slow(@Param('id') id: string, @Caller() caller: CallerContext): Promise<unknown> {
    seen.calls += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    const gone = new Promise<void>((resolve) => caller.signal?.addEventListener('abort', () => resolve()));
    await Promise.race([held, gone.then(() => (seen.aborted += 1))]);
    seen.running -= 1;
    return { id };
  }
  @Operation() @Post('charge/:id') @HttpCode(200) charge(
    @Headers('idempotency-key') key: string,
    @Param('id') id: string,
  ): unknown {
    seen.keys.push(key);
    return { id };
  }
}

const { 'mcp-protocol-version': _version, ...WITHOUT_REVISION } = LEGACY_HEADERS;
const NOTES = { controllers: [NotesController] };

interface Answered {
  readonly id: number;
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly data?: { readonly code: string } };
}

/** A batch of calls, with the ids 1, 2 and so on. */
function batch(names: readonly string[], args: (id: number) => object = () => ({})): string {
  const calls = names.map((name, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method: 'tools/call',
    params: { name, arguments: args(index + 1) },
  }));
  return JSON.stringify(calls);
}

const many = (count: number, name: string, args?: (id: number) => object) =>
  batch(
    Array.from({ length: count }, () => name),
    args,
  );
const idOf = (id: number) => ({ id: String(id) });

/** The answers of a stream, by their ids. */
function answersIn({ text }: RawAnswer): readonly Answered[] {
  const messages = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(String(data)) as Answered);
  return messages.sort((one, other) => one.id - other.id);
}

describe.each(PLATFORMS)('a request of several messages, on %s', (platform) => {
  beforeEach(() => {
    Object.assign(seen, { calls: 0, running: 0, most: 0, aborted: 0, keys: [] });
    held = new Promise((resolve) => (letAnswer = resolve));
  });
  afterEach(async () => {
    letAnswer();
    await closeApplications();
  });

  it.each(['2025-06-18', '2025-11-25', '2026-07-28', '2099-01-01'])(
    'is refused in revision %s, which has none, and nothing of it runs',
    async (revision) => {
      const { base } = await serve(platform, NOTES);
      const headers = { ...WITHOUT_REVISION, 'mcp-protocol-version': revision };
      for (const count of [1, 2]) {
        const answer = await send(base, { headers, body: many(count, 'notes__read') });
        expect([answer.status, messageIn(answer).error?.code]).toEqual([400, -32_600]);
      }
      expect(seen.calls).toBe(0);
    },
  );

  describe.each([
    ['2025-03-26', { ...WITHOUT_REVISION, 'mcp-protocol-version': '2025-03-26' }],
    ['none that it names', WITHOUT_REVISION],
  ])('of revision: %s', (_revision, headers) => {
    it('is answered up to ten of them, and refused past that, whatever they are', async () => {
      const { base } = await serve(platform, NOTES);
      const refused = await send(base, { headers, body: many(11, 'notes__read') });
      expect([refused.status, messageIn(refused).error?.code, seen.calls]).toEqual([400, -32_600, 0]);
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
      const body = JSON.stringify(Array.from({ length: 11 }, () => cancel));
      expect((await send(base, { headers, body })).status).toBe(400);
      const answered = await send(base, { headers, body: many(10, 'notes__read') });
      expect([answered.status, answersIn(answered).map(({ id }) => id), seen.calls]).toEqual([
        200,
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        10,
      ]);
    });

    it('runs as many calls at once as the application lets one turn of a model', async () => {
      const { base } = await serve(platform, NOTES, { dispatch: { concurrency: 3 } });
      const answer = send(base, { headers, body: many(10, 'notes__slow', idOf) });
      await eventually(() => expect(seen.running).toBe(3));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(seen.calls).toBe(3);
      letAnswer();
      const texts = answersIn(await answer).map(({ result }) => result?.content[0]?.text);
      expect(texts).toEqual(Array.from({ length: 10 }, (_, index) => `{"id":"${index + 1}"}`));
      expect([seen.calls, seen.most]).toEqual([10, 3]);
    });

    it('ends with all its calls when its client goes away, and nobody takes the listeners for a leak', async () => {
      const watch = watchProcess();
      const { url } = await serve(platform, NOTES, { dispatch: { concurrency: 9 } });
      const client = new Agent();
      const request = { method: 'POST', headers, body: many(10, 'notes__slow', idOf), dispatcher: client };
      const answer = catchError(async () => (await fetch(url, request)).text());
      await eventually(() => expect(seen.running).toBe(9));
      await client.destroy();
      await answer;
      await eventually(() => expect([seen.aborted, seen.running]).toEqual([9, 0]));
      await new Promise((resolve) => setTimeout(resolve, 50));
      watch.stop();
      expect(seen.calls).toBe(9);
      expect([watch.warnings, watch.rejections, watch.exceptions]).toEqual([[], [], []]);
    });
  });

  it('is told of each message’s own refusal, and the others are answered', async () => {
    const request = await serveProtected(platform);
    const sent = (headers: Record<string, string>) =>
      request({
        headers: { ...WITHOUT_REVISION, ...headers },
        body: batch(['notes__read', 'notes__write', 'notes__none', 'notes__read']),
      });
    const lacking = await sent({ authorization: 'Bearer any' });
    expect([lacking.status, challengeOf(lacking)]).toEqual([200, undefined]);
    expect(answersIn(lacking)).toMatchObject([
      { id: 1, result: { structuredContent: { notes: 1 } } },
      { id: 2, result: { isError: true, content: [{ text: expect.stringContaining('insufficient_scope') }] } },
      { id: 3, error: { code: -32_602, data: { code: 'tool_unknown' } } },
      { id: 4, result: { structuredContent: { notes: 1 } } },
    ]);
    const unauthenticated = { code: -32_600, data: { code: 'operation_unauthenticated' } };
    const nobody = await sent({});
    expect([nobody.status, challengeOf(nobody)]).toEqual([200, undefined]);
    expect(answersIn(nobody)).toMatchObject([
      { id: 1, error: unauthenticated },
      { id: 2, error: unauthenticated },
      { id: 3, error: { data: { code: 'tool_unknown' } } },
      { id: 4, error: unauthenticated },
    ]);
  });

  it('has a key of each of its calls, the same when it comes again, and none that is the request’s', async () => {
    const { base } = await serve(platform, NOTES);
    const headers = { ...WITHOUT_REVISION, 'idempotency-key': 'of-the-request' };
    const body = batch(['notes__charge', 'notes__charge'], idOf);
    expect((await send(base, { headers, body })).status).toBe(200);
    const first = [...seen.keys].sort();
    expect(new Set([...first, 'of-the-request']).size).toBe(3);
    seen.keys.length = 0;
    expect((await send(base, { headers, body })).status).toBe(200);
    expect([...seen.keys].sort()).toEqual(first);
  });

  it.each(ERAS)('is what one call is not: its key reaches its handler as it is, in the era of %s', async (era) => {
    const { base } = await serve(platform, NOTES);
    const call = toolCall(era, 'notes__charge', { id: '1' });
    await send(base, withHeaders(call, { 'idempotency-key': 'of-the-call' }));
    await send(base, call);
    expect(seen.keys).toEqual(['of-the-call', undefined]);
  });
});
