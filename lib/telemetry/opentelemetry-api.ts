import { createRequire } from 'node:module';
import type * as OpenTelemetry from '@opentelemetry/api';

export type OpenTelemetryApi = typeof OpenTelemetry;

/** Tracers and meters carry this name: a view or a sampler of the application finds them by it. */
const INSTRUMENTATION_NAME = 'nestjs-palette';

let loaded: OpenTelemetryApi | 'absent' | undefined;
let nobody: OpenTelemetry.TracerProvider | undefined;

/** The API where the application has it and has registered a tracer provider: otherwise nobody is told of a span. */
export function tracingApi(): OpenTelemetryApi | undefined {
  const api = openTelemetryApi();
  return api !== undefined && isTraced(api) ? api : undefined;
}

export function tracer(api: OpenTelemetryApi): OpenTelemetry.Tracer {
  return api.trace.getTracer(INSTRUMENTATION_NAME);
}

/** The application's meter; undefined where no meter provider is registered. Another provider has another meter. */
export function meter(): OpenTelemetry.Meter | undefined {
  const api = openTelemetryApi();
  const found = api?.metrics.getMeter(INSTRUMENTATION_NAME);
  return found === api?.createNoopMeter() ? undefined : found;
}

/**
 * The API, whether or not somebody listens. It is an optional peer, so it is asked for at the first call and never imported:
 * by `require`, since an import that may fail has to be awaited, and `require` cannot load a module that awaits. That the
 * application may have a copy of its own does no harm: providers and context belong to the process.
 */
export function openTelemetryApi(): OpenTelemetryApi | undefined {
  loaded ??= load();
  return loaded === 'absent' ? undefined : loaded;
}

function load(): OpenTelemetryApi | 'absent' {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as OpenTelemetryApi;
  } catch {
    return 'absent';
  }
}

/** The global provider is a proxy in front of one that does nothing, until the application registers its own. */
function isTraced(api: OpenTelemetryApi): boolean {
  const provider = api.trace.getTracerProvider();
  nobody ??= new api.ProxyTracerProvider().getDelegate();
  return !(provider instanceof api.ProxyTracerProvider) || provider.getDelegate() !== nobody;
}
