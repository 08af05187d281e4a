import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineAgent, runAgent, type AgentEvent, type RunAgentOptions } from 'nestjs-palette';
import { until, type Answer } from '../../egress/support/upstream.js';
import { Recorder } from '../../telemetry/support/recorder.js';
import { chatEvents, startModelApp, streamed, type ModelApp } from '../models/support/model-app.js';
import { faultsOf } from './support/journal.js';
import { CALLER, collect, counted, doneOf, ofType, typesOf } from './support/running.js';

const delta = (part: object, finish_reason: string | null = null) => ({
  model: 'served',
  choices: [{ index: 0, delta: part, finish_reason }],
});
const CALLS = chatEvents(
  delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{"id"' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: ':7}' } }] }),
  delta({}, 'tool_calls'),
);
const WORDS = chatEvents(delta({ content: 'Se' }), delta({ content: 'ven.' }), delta({}, 'stop'));

let hung = 0;
/** Begins to answer and never ends, until the other side does. */
const hanging =
  (...chunks: readonly object[]): Answer =>
  (response) => {
    hung++;
    response.on('close', () => hung--);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };

describe('a run with a model that is served over HTTP', () => {
  let served: ModelApp;
  beforeAll(async () => {
    served = await startModelApp();
  });
  afterAll(() => served.close());

  const messagesOf = (): NonNullable<RunAgentOptions['messages']> => [{ role: 'user', text: 'q' }];
  const begin = (messages = messagesOf(), extra: Partial<RunAgentOptions> = {}) => {
    const agent = defineAgent({ name: 'helper', model: served.chat(), tools: [counted('look').tool] });
    return runAgent({ agent, messages, caller: CALLER, ...extra } as RunAgentOptions);
  };
  const inTurn = (...answers: readonly Answer[]): void => {
    const left = [...answers];
    served.upstream.answer((response, request) => left.shift()?.(response, request));
  };

  describe('that is traced', () => {
    let recorder: Recorder;
    beforeAll(() => {
      recorder = new Recorder();
    });
    beforeEach(() => recorder.reset());
    afterAll(() => recorder.stop());

    it('sends each request within the span of its model call, and says so to the provider', async () => {
      inTurn(streamed(CALLS), streamed(WORDS));
      const messages = messagesOf();
      const events = await collect(begin(messages));
      expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'message', 'done']);
      expect(doneOf(events)).toMatchObject({ answer: 'Seven.' });
      expect(faultsOf(messages)).toEqual([]);
      const chats = recorder.spans.filter(({ name }) => name === 'chat asked').map((span) => span.spanContext());
      const hops = recorder.spans.filter(({ name }) => name === 'POST /v1/chat/completions');
      expect(hops.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(chats.map(({ spanId }) => spanId));
      const sent = served.upstream.requests.slice(-2).map(({ headers }) => headers['traceparent']);
      expect(sent).toEqual(hops.map((hop) => `00-${hop.spanContext().traceId}-${hop.spanContext().spanId}-01`));
      expect(new Set(recorder.spans.map((span) => span.spanContext().traceId)).size).toBe(1);
      expect(recorder.span('invoke_agent helper').parentSpanContext).toBeUndefined();
    });
  });

  describe('and hangs', () => {
    // Somebody was asked, and is left in peace.
    beforeEach(() => expect(hung).toBe(0));
    afterEach(() => until(() => hung === 0));

    it('closes the connection when it is cancelled in the middle of a reply', async () => {
      inTurn(hanging(delta({ content: 'Half' })));
      const controller = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of begin(messagesOf(), { signal: controller.signal })) {
        events.push(event);
        if (event.type === 'message_delta') expect(hung).toBe(1);
        if (event.type === 'message_delta') controller.abort();
      }
      expect(events.map(({ type }) => type)).toEqual(['message_delta', 'done']);
      expect(doneOf(events).outcome).toBe('cancelled');
    });

    it('closes the connection when its reader leaves in the middle of a reply', async () => {
      inTurn(hanging(delta({ content: 'Half' })));
      for await (const { type } of begin()) {
        expect(type).toBe('message_delta');
        break;
      }
    });

    it.each([
      ['before the first sign', [], 'the first sign of a reply'],
      ['between two pieces', [delta({ content: 'Half' })], 'the time between two pieces of a reply'],
    ])('closes the connection when its time is over %s', async (_when, chunks, what) => {
      inTurn(hanging(...chunks));
      const timeouts = { firstChunkMs: 80, betweenChunksMs: 80 };
      const events = await collect(begin(messagesOf(), { timeouts }));
      expect(ofType(events, 'error')[0]).toMatchObject({
        code: 'agent_timed_out',
        message: `The run took longer than ${what} may: 80 ms.`,
      });
    });
  });
});
