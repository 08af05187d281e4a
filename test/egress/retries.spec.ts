import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  egressOperation,
  egressService,
  sdkOptions,
  type EgressClient,
  type EgressServiceOptions,
} from '../../lib/egress/index.js';
import { egressApp } from './support/egress-app.js';
import { FileArgs, FileReply, ModelArgs, ModelReply } from './support/model-service.js';
import { json, startUpstream, type Answer, type Upstream } from './support/upstream.js';

const read = egressOperation({
  name: 'read',
  method: 'GET',
  path: '/files/{id}',
  args: FileArgs,
  returns: FileReply,
  query: ['limit', 'tenant'],
});
const write = egressOperation({
  name: 'write',
  method: 'POST',
  path: '/messages',
  args: ModelArgs,
  returns: ModelReply,
});
const ask = egressOperation({
  name: 'ask',
  method: 'POST',
  path: '/messages',
  args: ModelArgs,
  returns: ModelReply,
  idempotent: true,
});
const service = egressService({ name: 'api', operations: [read, write, ask] });
const fast = { retries: { max: 2, delayMs: 1, maxDelayMs: 200 } };

/** Answers in turns; the last answer stays. */
function inTurns(...answers: Answer[]): Answer {
  return (response, request) => (answers.length > 1 ? answers.shift() : answers[0])?.(response, request);
}

describe('further attempts', () => {
  let upstream: Upstream;
  beforeAll(async () => void (upstream = await startUpstream()));
  beforeEach(() => void (upstream.requests.length = 0));
  afterAll(() => upstream.close());

  async function withClient<T>(
    options: Partial<EgressServiceOptions>,
    use: (client: EgressClient<typeof service>) => Promise<T>,
  ): Promise<T> {
    const { app, client } = await egressApp(service, { baseUrl: upstream.origin, ...options });
    return use(client).finally(() => app.close());
  }
  async function statusOf(response: Promise<Response>): Promise<number> {
    await (await response).text();
    return (await response).status;
  }

  it('are off unless asked for', async () => {
    upstream.answer(json({}, 503));
    await withClient({}, (api) =>
      expect(api.invoke(read, { id: '1' })).rejects.toMatchObject({ code: 'egress_unavailable' }),
    );
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([408, 425, 429, 500, 502, 503, 504, 529])(
    'follow status %i, for invoke, stream and fetch alike',
    async (status) => {
      await withClient(fast, async (api) => {
        upstream.answer(inTurns(json({}, status), json({}, status), json({ id: 'ok' })));
        await expect(api.invoke(read, { id: '1' })).resolves.toMatchObject({ id: 'ok' });
        upstream.answer(inTurns(json({}, status), json({ id: 'ok' })));
        const stream = api.stream(read, { id: '1' });
        await expect(stream.next()).resolves.toMatchObject({ done: false });
        await stream.return();
        upstream.answer(inTurns(json({}, status), json({ id: 'ok' })));
        await expect((await api.fetch(`${api.baseUrl}/x`)).json()).resolves.toEqual({ id: 'ok' });
      });
      expect(upstream.requests).toHaveLength(7);
    },
  );

  it('end with the last answer, whole', async () => {
    upstream.answer(json({ error: { message: 'busy' } }, 429));
    await withClient(fast, async (api) => {
      await expect(api.invoke(read, { id: '1' })).rejects.toMatchObject({
        code: 'egress_throttled',
        details: { upstream: { 'error.message': 'busy' } },
      });
      expect(await (await api.fetch(`${api.baseUrl}/x`)).json()).toEqual({ error: { message: 'busy' } });
    });
    expect(upstream.requests).toHaveLength(6);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])('do not follow status %i', async (status) => {
    upstream.answer(json({}, status));
    await withClient(fast, (api) =>
      expect(api.invoke(read, { id: '1' })).rejects.toMatchObject({ upstreamStatus: status }),
    );
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(['insufficient_quota', 'billing_hard_limit_reached', 'insufficient_credits'])(
    'do not follow exhausted credit (%s), whose answer is whole and not called retryable',
    async (code) => {
      upstream.answer(json({ error: { code, message: 'pay' } }, 429));
      await withClient(fast, async (api) => {
        await expect(api.invoke(read, { id: '1' })).rejects.toMatchObject({
          code: 'egress_throttled',
          retryable: false,
          details: { upstream: { 'error.code': code, 'error.message': 'pay' } },
        });
        expect(await (await api.fetch(`${api.baseUrl}/x`)).json()).toEqual({ error: { code, message: 'pay' } });
      });
      expect(upstream.requests).toHaveLength(2);
    },
  );

  it('do not follow an upstream that says so', async () => {
    upstream.answer(json({}, 503, { 'x-should-retry': 'false' }));
    await withClient(fast, (api) => expect(api.invoke(read, { id: '1' })).rejects.toThrow());
    expect(upstream.requests).toHaveLength(1);
  });

  it('do not follow a POST that was sent, unless it is declared idempotent or has a key that the upstream is told', async () => {
    const question = { question: 'q' };
    const key = { idempotencyKeyHeader: 'Idempotency-Key' };
    await withClient({ ...fast, ...key }, async (api) => {
      upstream.answer(json({}, 503));
      await expect(api.invoke(write, question)).rejects.toMatchObject({ retryable: true });
      await statusOf(api.fetch(`${api.baseUrl}/x`, { method: 'POST', body: '{}' }));
      expect(upstream.requests).toHaveLength(2);
      upstream.answer(inTurns(json({}, 503), json({ text: 'ok' })));
      await expect(api.invoke(ask, question)).resolves.toMatchObject({ text: 'ok' });
      upstream.answer(inTurns(json({}, 503), json({ text: 'ok' })));
      await expect(api.invoke(write, question, { idempotencyKey: 'call-7' })).resolves.toMatchObject({ text: 'ok' });
      expect(upstream.requests.slice(-2).map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(
        Array(2).fill(['call-7', '{"question":"q"}']),
      );
      upstream.answer(inTurns(json({}, 503), json({ text: 'ok' })));
      const init = { method: 'POST', body: '{}', headers: { 'idempotency-key': 'k' } };
      await expect(statusOf(api.fetch(`${api.baseUrl}/x`, init))).resolves.toBe(200);
    });
    await withClient(fast, async (api) => {
      upstream.answer(json({}, 503));
      upstream.requests.length = 0;
      await expect(api.invoke(write, question, { idempotencyKey: 'call-7' })).rejects.toThrow();
      expect(upstream.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
    });
  });

  it.each(['a\nb', '', 'ü', 'x'.repeat(256)])(
    'refuse the idempotency key %j without repeating it',
    async (idempotencyKey) => {
      await withClient({ idempotencyKeyHeader: 'idempotency-key' }, async (api) => {
        const call = api.invoke(write, { question: 'q' }, { idempotencyKey });
        await expect(call).rejects.toMatchObject({
          code: 'egress_arguments_invalid',
          details: { faults: [{ property: 'idempotencyKey', constraints: ['isHeaderValue'] }] },
        });
      });
      expect(upstream.requests).toEqual([]);
    },
  );

  it('follow a POST that never left, and not one whose connection broke', async () => {
    const closed = await startUpstream();
    await closed.close();
    await withClient({ ...fast, baseUrl: closed.origin, retries: { max: 1, delayMs: 100 } }, async (api) => {
      const start = performance.now();
      await expect(api.invoke(write, { question: 'q' })).rejects.toThrow('ECONNREFUSED');
      expect(performance.now() - start).toBeGreaterThanOrEqual(49);
    });
    upstream.answer((response) => response.destroy());
    await withClient(fast, async (api) => {
      await expect(api.invoke(write, { question: 'q' })).rejects.toMatchObject({
        code: 'egress_unavailable',
        retryable: true,
      });
      expect(upstream.requests).toHaveLength(1);
      await expect(api.invoke(read, { id: '1' })).rejects.toMatchObject({ code: 'egress_unavailable' });
      expect(upstream.requests).toHaveLength(4);
    });
  });

  it('do not follow a body that can be read once only', async () => {
    upstream.answer(json({}, 503));
    await withClient(fast, async (api) => {
      const init = { method: 'PUT', body: new Blob(['part']).stream(), duplex: 'half' } as const;
      await expect(statusOf(api.fetch(`${api.baseUrl}/x`, init))).resolves.toBe(503);
      expect(upstream.requests.map(({ body }) => body)).toEqual(['part']);
      await statusOf(api.fetch(`${api.baseUrl}/x`, { method: 'PUT', body: new Blob(['whole']) }));
    });
    expect(upstream.requests.slice(1).map(({ body }) => body)).toEqual(['whole', 'whole', 'whole']);
  });

  it('wait as long as the upstream asks, `retry-after-ms` before `retry-after`', async () => {
    upstream.answer(inTurns(json({}, 503, { 'retry-after': '100', 'retry-after-ms': '80' }), json({ id: 'ok' })));
    const start = performance.now();
    await withClient(fast, (api) => api.invoke(read, { id: '1' }));
    expect(performance.now() - start).toBeGreaterThanOrEqual(79);
  });

  it.each<[string, Partial<EgressServiceOptions>]>([
    ['than the service waits', fast],
    ['than is left of the call', { retries: { max: 2, maxDelayMs: 1_000_000 }, timeoutMs: 5_000 }],
  ])('do not wait for an upstream that asks for longer %s', async (_, options) => {
    upstream.answer(json({}, 503, { 'retry-after': '60' }));
    const start = performance.now();
    await withClient(options, (api) =>
      expect(api.invoke(read, { id: '1' })).rejects.toMatchObject({ details: { retryAfterMs: 60_000 } }),
    );
    expect(upstream.requests).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  it('end with the time of the call and with its caller', async () => {
    upstream.answer(json({}, 503));
    const slow = { retries: { max: 1_000, delayMs: 20, maxDelayMs: 20 }, timeoutMs: 150 };
    await withClient(slow, (api) => expect(api.invoke(read, { id: '1' })).rejects.toThrow());
    expect(upstream.requests.length).toBeLessThan(20);
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    await withClient({ ...slow, timeoutMs: 10_000 }, (api) =>
      expect(api.invoke(read, { id: '1' }, { signal: caller.signal })).rejects.toMatchObject({
        code: 'egress_cancelled',
      }),
    );
  });

  it('never follow an answer that began', async () => {
    upstream.answer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setTimeout(() => response.destroy(), 10);
    });
    await withClient(fast, async (api) => {
      await expect(api.invoke(read, { id: 'began' })).rejects.toMatchObject({ code: 'egress_stream_interrupted' });
    });
    // On a busy machine a request that the test before has given up may arrive as late as here.
    expect(upstream.requests.filter(({ url }) => url === '/files/began')).toHaveLength(1);
  });

  it('tell the upstream what is left at each of them, whatever the caller says of it', async () => {
    upstream.answer(inTurns(json({}, 503, { 'retry-after-ms': '50' }), json({ id: 'ok' })));
    await withClient({ ...fast, deadlineHeader: 'X-Time-Left-Ms', timeoutMs: 5_000 }, async (api) => {
      await statusOf(api.fetch(`${api.baseUrl}/x`, { headers: { 'x-time-left-ms': '999999' } }));
    });
    const [first = 0, second = 0] = upstream.requests.map(({ headers }) => Number(headers['x-time-left-ms']));
    expect(first).toBeLessThanOrEqual(5_000);
    expect(second).toBeGreaterThan(0);
    expect(first - second).toBeGreaterThanOrEqual(49);
  });

  it('are no business of an SDK: it is told to make none', async () => {
    await withClient({}, async (api) => expect(sdkOptions(api)).toMatchObject({ maxRetries: 0, fetch: api.fetch }));
  });
});
