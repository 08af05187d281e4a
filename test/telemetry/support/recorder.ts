import { context, metrics, propagation, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';

/** The real SDK, registered for the process, with what it exports kept in memory. */
export class Recorder {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#metrics, exportIntervalMillis: 3_600_000 });
  readonly #traces = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] });
  readonly #meters = new MeterProvider({ readers: [this.#reader] });

  constructor() {
    this.#traces.register();
    metrics.setGlobalMeterProvider(this.#meters);
  }

  get spans(): ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  span(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans are named "${name}": ${this.names.join(', ')}`);
    return found[0] as ReadableSpan;
  }

  get names(): string[] {
    return this.spans.map(({ name }) => name);
  }

  /** Forgets spans; what was measured is forgotten by whoever reads it. */
  reset(): void {
    this.#spans.reset();
  }

  /** Name of an instrument -> its points: attributes, and the value or the sum. */
  async measured(): Promise<Record<string, { attributes: object; value: number }[]>> {
    await this.#reader.forceFlush();
    const all = this.#metrics
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    this.#metrics.reset();
    const points = ({ dataPoints }: (typeof all)[number]) =>
      dataPoints.map(({ attributes, value }) => ({
        attributes,
        value: typeof value === 'number' ? value : (value.sum ?? NaN),
      }));
    return Object.fromEntries(all.map((metric) => [metric.descriptor.name, points(metric)]));
  }

  async stop(): Promise<void> {
    await this.#traces.shutdown();
    await this.#meters.shutdown();
    trace.disable();
    metrics.disable();
    context.disable();
    propagation.disable();
  }
}
