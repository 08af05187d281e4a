import diagnostics from 'node:diagnostics_channel';
import { trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EgressReply, headerCredential, sse } from '../../lib/egress/index.js';
import { Recorder } from '../telemetry/support/recorder.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { messages, modelService, readFile } from './support/model-service.js';
import { json, startUpstream, type Upstream } from './support/upstream.js';

const SECRET = 'sk-very-secret';

describe('the span of an egress call', () => {
  let upstream: Upstream;
  let context: EgressApp<typeof modelService>;
  let recorder: Recorder;

  beforeAll(async () => {
    recorder = new Recorder();
    upstream = await startUpstream(json({ text: 'an answer', id: 'f1' }));
    context = await egressApp(modelService, {
      baseUrl: `${upstream.origin}/api`,
      egressSensitive: true,
      acknowledgeDataEgress: true,
      credentials: headerCredential('x-api-key', () => SECRET),
    });
  });
  afterEach(() => {
    recorder.reset();
    upstream.requests.length = 0;
    upstream.answer(json({ text: 'an answer', id: 'f1' }));
  });
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
    await recorder.stop();
  });

  it('tells where it went and what the service is, in names that are few', async () => {
    await context.client.invoke(readFile, { id: 'f1', limit: 7 });
    const span = recorder.span('GET /api/v1/files/{id}');
    expect(span.kind).toBe(2);
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': upstream.port,
      'url.full': `${upstream.origin}/api/v1/files/f1?limit=REDACTED`,
      'url.template': '/api/v1/files/{id}',
      'palette.egress.service': 'model',
      'palette.egress.operation': 'readFile',
      'palette.egress.sensitive': true,
    });
  });

  it('is what the upstream is told of, under the span that was active', async () => {
    await trace.getTracer('test').startActiveSpan('outer', async (outer) => {
      await context.client.invoke(messages, { question: 'q' });
      outer.end();
    });
    const span = recorder.span('POST /api/v1/messages');
    const outer = recorder.span('outer');
    expect(span.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    const [request] = upstream.requests;
    expect(request?.headers['traceparent']).toBe(`00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
    expect(request?.headers).not.toHaveProperty('baggage');
    expect(request?.headers).not.toHaveProperty('tracestate');
  });

  it('is the only one: what runs underneath is not traced again', async () => {
    // An instrumentation of the platform's fetch, as that of OpenTelemetry is made: it starts a span for each request.
    const instrumented = (): void => trace.getTracer('instrumentation').startSpan('underneath').end();
    diagnostics.subscribe('undici:request:create', instrumented);
    try {
      await context.client.invoke(messages, { question: 'q' });
      expect(recorder.names).toEqual(['POST /api/v1/messages']);
      await (await fetch(`${upstream.origin}/bare`)).text();
      expect(recorder.names).toEqual(['POST /api/v1/messages', 'underneath']);
    } finally {
      diagnostics.unsubscribe('undici:request:create', instrumented);
    }
  });

  it('is that of a stream too, and ends with the head of the answer', async () => {
    upstream.answer((response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: a\n\n'));
    for await (const event of sse(context.client.stream(messages, { question: 'q' }))) expect(event.data).toBe('a');
    expect(recorder.span('POST /api/v1/messages').attributes['http.response.status_code']).toBe(200);
  });

  it('has the method alone for a name where an SDK sends what is not declared, and lets no baggage out', async () => {
    await context.client.fetch(`${upstream.origin}/api/v1/embeddings`, {
      method: 'POST',
      headers: { baggage: 'user=ada', tracestate: 'other=1' },
    });
    expect(recorder.span('POST').attributes).toMatchObject({ 'palette.egress.operation': 'fetch' });
    expect(upstream.requests[0]?.headers).not.toHaveProperty('baggage');
    expect(upstream.requests[0]?.headers).not.toHaveProperty('tracestate');
  });

  it.each([
    [500, '500'],
    [422, '422'],
  ])('has failed with status %i', async (status, type) => {
    upstream.answer((response) => response.writeHead(status).end('the words of the upstream'));
    await expect(context.client.invoke(messages, { question: 'q' })).rejects.toThrow();
    const span = recorder.span('POST /api/v1/messages');
    expect(span.attributes).toMatchObject({ 'http.response.status_code': status, 'error.type': type });
    expect(span.status.code).toBe(2);
  });

  it('has failed with our code where there was no answer', async () => {
    upstream.answer((response) => response.destroy());
    await expect(context.client.invoke(messages, { question: 'q' })).rejects.toThrow();
    expect(recorder.span('POST /api/v1/messages').attributes['error.type']).toBe('egress_unavailable');
  });

  it('is that of a handler in place of the network', async () => {
    const handled = await egressApp(modelService, { baseUrl: upstream.origin, egressSensitive: false });
    handled.handlers.on(modelService, messages, () => EgressReply.status(200, { text: 'by hand' }));
    await handled.client.invoke(messages, { question: 'q' });
    await handled.app.close();
    expect(recorder.span('POST /v1/messages').attributes['http.response.status_code']).toBe(200);
    expect(upstream.requests).toEqual([]);
  });

  it('holds no secret, no question and no answer', async () => {
    await context.client.invoke(messages, { question: 'how are my kidneys?' });
    upstream.answer((response) => response.writeHead(401).end(`no: ${SECRET}`));
    await expect(context.client.invoke(readFile, { id: 'f1', tenant: 'hidden' })).rejects.toThrow();
    const told = JSON.stringify(
      recorder.spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    for (const word of [SECRET, 'kidneys', 'an answer', 'hidden']) expect(told).not.toContain(word);
    expect(upstream.requests[0]?.headers['x-api-key']).toBe(SECRET);
  });
});

describe('an egress call where nobody traces', () => {
  it('sends no trace of its own', async () => {
    const upstream = await startUpstream(json({ text: 'an answer' }));
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, egressSensitive: false });
    try {
      await client.invoke(messages, { question: 'q' });
      expect(upstream.requests[0]?.headers).not.toHaveProperty('traceparent');
    } finally {
      await app.close();
      await upstream.close();
    }
  });
});
