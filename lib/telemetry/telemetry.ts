import { ActiveSpan, defined, linkOf } from './active-span.js';
import { tracer, tracingApi, type OpenTelemetryApi } from './opentelemetry-api.js';
import { NO_SPAN, type SpanLink, type SpanOptions, type TelemetrySpan } from './span.js';

/** The key that every instrumentation of OpenTelemetry looks for; its package is not needed to know it. */
const SUPPRESS_TRACING = 'OpenTelemetry SDK Context Key SUPPRESS_TRACING';

/** Tracing as the library uses it. Without OpenTelemetry, or without a provider, each of these does nothing. */
export const telemetry = Object.freeze({
  /** Begins a span under the active one. Whoever begins it ends it, on every path. */
  startSpan(name: string, options: SpanOptions = {}): TelemetrySpan {
    const api = tracingApi();
    return api === undefined ? NO_SPAN : begin(api, name, options);
  },

  /** Runs `work` inside a span that ends with it, failed where it throws or rejects. */
  async span<T>(name: string, options: SpanOptions, work: (span: TelemetrySpan) => Promise<T> | T): Promise<T> {
    const span = telemetry.startSpan(name, options);
    try {
      const result = await span.run(() => work(span));
      span.end();
      return result;
    } catch (error) {
      span.fail(error);
      throw error;
    }
  },

  /** What a later span can link to: the one that is active now. */
  currentLink(): SpanLink | undefined {
    const api = tracingApi();
    return api && linkOf(api, api.trace.getActiveSpan());
  },

  /**
   * Tells the receiver of `headers` which span the request belongs to: `traceparent` alone, whatever propagators the
   * application has. State and baggage of others are not ours to pass on; a `tracestate` without its own parent is void.
   */
  inject(headers: { set(name: string, value: string): void; delete(name: string): void }): void {
    const link = telemetry.currentLink();
    if (link === undefined) return;
    headers.set('traceparent', traceparent(link));
    headers.delete('tracestate');
  },

  /** Runs `work` unseen by instrumentation of what it uses: it has its span already, and the headers it is to have. */
  suppress<T>(work: () => T): T {
    const api = tracingApi();
    if (api === undefined) return work();
    const active = api.context.active();
    return api.context.with(active.setValue(api.createContextKey(SUPPRESS_TRACING), true), work);
  },
});

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparent({ traceId, spanId, traceFlags }: SpanLink): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
}

function begin(api: OpenTelemetryApi, name: string, { kind, attributes, links = [] }: SpanOptions): TelemetrySpan {
  const span = tracer(api).startSpan(name, {
    kind: kind === 'client' ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL,
    attributes: defined(attributes?.() ?? {}),
    links: links.map((context) => ({ context: { ...context, isRemote: true } })),
  });
  return new ActiveSpan(api, span);
}
