import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { asyncDispose } from './async-dispose.js';
import type { EgressStream } from './egress-stream.js';
import { ndjson } from './ndjson.js';
import { sse, type ServerSentEvent, type SseOptions } from './sse.js';

interface TestStream extends EgressStream {
  readonly state: { isClosed: boolean; reads: number };
}

/** Chunks without a connection under them; a chunk that is an error is thrown. */
function streamOf(chunks: readonly (Uint8Array | Error)[]): TestStream {
  const rest = [...chunks];
  const state = { isClosed: false, reads: 0 };
  return {
    service: 'api',
    operation: 'read',
    state,
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      state.reads++;
      const value = state.isClosed ? undefined : rest.shift();
      if (value instanceof Error) throw value;
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    return: async () => {
      state.isClosed = true;
      return { done: true, value: undefined };
    },
    throw: (error) => Promise.reject(error as Error),
    [asyncDispose]: async () => undefined,
  };
}

function text(...parts: string[]): TestStream {
  return streamOf(parts.map((part) => new TextEncoder().encode(part)));
}

/** Cuts bytes at any positions, also inside a character and inside a line break. */
function cut(whole: string, positions: readonly number[]): TestStream {
  const bytes = new TextEncoder().encode(whole);
  const cuts = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return streamOf([0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length)));
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function dataOf(stream: EgressStream, options?: SseOptions): Promise<string[]> {
  return (await all(sse(stream, options))).map(({ data }) => data);
}

const positions = fc.array(fc.nat(), { maxLength: 30 });

describe('sse', () => {
  it('yields event, data and id', async () => {
    const stream = text('event: delta\nid: 7\ndata: a\ndata: b\n\n', ': ping\n\n', 'data: c\n\n');
    expect(await all(sse(stream))).toEqual([
      { event: 'delta', data: 'a\nb', id: '7' },
      { event: undefined, data: 'c', id: undefined },
    ]);
  });

  it('yields the same events wherever the bytes are cut', async () => {
    const line = fc.stringMatching(/^[a-z€😀ü ]{0,12}$/u);
    const events = fc.array(
      fc.record({ event: fc.stringMatching(/^[a-z]{1,5}$/), lines: fc.array(line, { minLength: 1, maxLength: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(events, fc.constantFrom('\n', '\r\n', '\r'), positions, async (expected, newline, cuts) => {
        const whole = expected
          .map(({ event, lines }) =>
            [`event: ${event}`, ': note', ...lines.map((one) => `data: ${one}`), '', ''].join(newline),
          )
          .join('');
        const seen = await all(sse(cut(whole, cuts)));
        expect(seen.map(({ event, data }) => ({ event, data }))).toEqual(
          expected.map(({ event, lines }) => ({ event, data: lines.join('\n') })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('ends at a sentinel, which it does not yield, and closes what is still open', async () => {
    const stream = text('data: a\n\ndata: [DONE]\n\ndata: late\n\n', 'data: later\n\n');
    expect(await dataOf(stream, { until: '[DONE]' })).toEqual(['a']);
    expect(stream.state).toEqual({ isClosed: true, reads: 1 });
  });

  it('ends with the event that a function accepts', async () => {
    const until = (event: ServerSentEvent): boolean => event.event === 'stop';
    const stream = text('data: a\n\nevent: stop\ndata: b\n\ndata: late\n\n');
    expect(await dataOf(stream, { until })).toEqual(['a', 'b']);
    expect(stream.state.isClosed).toBe(true);
  });

  it.each<[string, string, SseOptions]>([
    ['before the sentinel', 'data: a\n\n', { until: '[DONE]' }],
    ['in the sentinel', 'data: a\n\ndata: [DONE]', { until: '[DONE]' }],
    ['in an event that has its data', 'data: a\n\ndata: b\n', {}],
    ['in an event that has no data yet', 'data: a\n\nevent: x\n', {}],
    ['in a field name', 'data: a\n\nda', {}],
    ['in a character', 'data: a\n\ndata: \u{1f600}'.slice(0, -1), {}],
  ])('takes an end %s for an interruption, after what was whole', async (_, whole, options) => {
    const events = sse(text(whole), options);
    await expect(events.next()).resolves.toMatchObject({ value: { data: 'a' } });
    await expect(events.next()).rejects.toMatchObject({ code: 'egress_stream_interrupted', service: 'api' });
    await expect(events.next()).rejects.toMatchObject({ code: 'egress_stream_interrupted' });
  });

  it('takes any end where it is told to', async () => {
    expect(await dataOf(text('data: a\n\ndata: b'), { lenientEof: true })).toEqual(['a', 'b']);
    expect(await dataOf(text('data: a\n\n'), { until: '[DONE]', lenientEof: true })).toEqual(['a']);
    expect(await dataOf(text('data: a\n\n: keep-alive\n'))).toEqual(['a']);
    expect(await dataOf(text(''))).toEqual([]);
  });

  it('hands on what the stream fails with, after what came before', async () => {
    const failure = new Error('broken');
    const events = sse(streamOf([new TextEncoder().encode('data: a\n\ndata: b\n\n'), failure]), { lenientEof: true });
    await events.next();
    await expect(events.next()).resolves.toMatchObject({ value: { data: 'b' } });
    await expect(events.next()).rejects.toBe(failure);
  });

  it('reads only when asked, and answers overlapping questions in order', async () => {
    const stream = text('data: a\n\n', 'data: b\n\n', 'data: c\n\n');
    const events = sse(stream);
    expect(stream.state.reads).toBe(0);
    const answers = await Promise.all([events.next(), events.next()]);
    expect(answers.map(({ value }) => (value as ServerSentEvent).data)).toEqual(['a', 'b']);
    expect(stream.state.reads).toBe(2);
  });

  it('closes the stream on return before the first event, on break and on throw', async () => {
    const unread = text('data: a\n\n');
    await sse(unread).return();
    const broken = text('data: a\n\ndata: b\n\n');
    const events = sse(broken);
    for await (const _ of events) break;
    const thrown = text('data: a\n\n');
    await expect(sse(thrown).throw(new Error('mine'))).rejects.toThrow('mine');
    expect([unread, broken, thrown].map(({ state }) => state.isClosed)).toEqual([true, true, true]);
    await expect(events.next()).resolves.toEqual({ done: true, value: undefined });
  });
});

describe('ndjson', () => {
  it('yields the same values wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        positions,
        async (values, newline, cuts) => {
          const lines = values.map((value) => JSON.stringify(value));
          const whole = lines.map((line) => line + newline).join('');
          expect(await all(ndjson(cut(whole, cuts)))).toEqual(lines.map((line) => JSON.parse(line) as unknown));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes a last line without a line break if it is whole', async () => {
    expect(await all(ndjson(text('{"a":1}\n{"a":2}')))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it.each(['{"a":1}\n{"a":', '{"a":1}\n12', '{"a":1}\n"x'])(
    'takes the end of %j for an interruption',
    async (whole) => {
      const values = ndjson(text(whole));
      await expect(values.next()).resolves.toEqual({ done: false, value: { a: 1 } });
      await expect(values.next()).rejects.toMatchObject({ code: 'egress_stream_interrupted' });
    },
  );

  it('takes an end inside a character for an interruption', async () => {
    const bytes = new TextEncoder().encode('{"a":"€"}').subarray(0, 7);
    await expect(all(ndjson(streamOf([bytes])))).rejects.toMatchObject({ code: 'egress_stream_interrupted' });
  });

  it('refuses a line that is not JSON, and bytes that are not UTF-8, and closes the stream', async () => {
    const bad = text('{"a":1}\nnot json\n{"a":2}\n');
    await expect(all(ndjson(bad))).rejects.toMatchObject({ code: 'egress_response_invalid' });
    expect(bad.state.isClosed).toBe(true);
    const latin = streamOf([Uint8Array.of(0x22, 0xfc, 0x22, 0x0a)]);
    await expect(all(ndjson(latin))).rejects.toMatchObject({ code: 'egress_response_invalid' });
  });
});
