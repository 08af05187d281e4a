import type { Span } from '@opentelemetry/api';
import { errorTypeOf } from './error-type.js';
import type { OpenTelemetryApi } from './opentelemetry-api.js';
import type { SpanAttributes, SpanLink, TelemetrySpan } from './span.js';

type Defined = Record<string, string | number | boolean | string[]>;

/** A span of the application's tracer. */
export class ActiveSpan implements TelemetrySpan {
  #hasEnded = false;

  constructor(
    private readonly api: OpenTelemetryApi,
    private readonly span: Span,
  ) {}

  get isRecording(): boolean {
    return this.span.isRecording();
  }

  get link(): SpanLink | undefined {
    return linkOf(this.api, this.span);
  }

  run<T>(work: () => T): T {
    const { context, trace } = this.api;
    return context.with(trace.setSpan(context.active(), this.span), work);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(defined(attributes));
  }

  event(name: string, attributes: SpanAttributes = {}): void {
    this.span.addEvent(name, defined(attributes));
  }

  end(errorType?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    }
    this.span.end();
  }

  fail(error: unknown): void {
    this.end(errorTypeOf(error));
  }
}

export function linkOf(api: OpenTelemetryApi, span: Span | undefined): SpanLink | undefined {
  const context = span?.spanContext();
  if (context === undefined || !api.isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return { traceId, spanId, traceFlags };
}

export function defined(attributes: SpanAttributes): Defined {
  const kept: Defined = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) kept[name] = typeof value === 'object' ? [...value] : value;
  }
  return kept;
}
