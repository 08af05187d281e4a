/** Attributes that are undefined are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Where a span is found again, as JSON: what is stored in order to link to it later. */
export interface SpanLink {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** 1 where it is sampled, else 0. */
  readonly traceFlags: number;
}

export interface SpanOptions {
  /** `client` for what leaves the process. Default `internal`. */
  readonly kind?: 'internal' | 'client' | undefined;
  /** Called only where somebody listens. */
  readonly attributes?: (() => SpanAttributes) | undefined;
  /** Spans that led to this one without being around it: what waited for an approval, say. */
  readonly links?: readonly SpanLink[] | undefined;
}

/** A span that may be one that nobody records: everything may be called, nothing throws. */
export interface TelemetrySpan {
  /** False where nothing that is told is kept; what is expensive to tell can be left out. */
  readonly isRecording: boolean;
  /** What another span can link to; undefined where nobody traces. */
  readonly link: SpanLink | undefined;
  /** Runs with this span as the active one, for everything that is started inside, also later. */
  run<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  event(name: string, attributes?: SpanAttributes): void;
  /** Ends it. With `errorType` it is a failure of that kind. The first end counts. */
  end(errorType?: string): void;
  /** Ends it as failed with what was thrown. Its message is not told: it may quote what a span must not hold. */
  fail(error: unknown): void;
}

export const NO_SPAN: TelemetrySpan = Object.freeze({
  isRecording: false,
  link: undefined,
  run: <T>(work: () => T): T => work(),
  set: () => undefined,
  event: () => undefined,
  end: () => undefined,
  fail: () => undefined,
});
