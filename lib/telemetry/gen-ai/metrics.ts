import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import { defined } from '../active-span.js';
import { meter } from '../opentelemetry-api.js';
import type { SpanAttributes } from '../span.js';

const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const AGENT_SECONDS = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
const CALLS = [1, 2, 4, 8, 16, 32, 64, 128];

/** Name -> unit and bucket boundaries, as the conventions state them (calls of an agent: ours). Without boundaries: a counter. */
const INSTRUMENTS = {
  // 1.41
  'gen_ai.client.operation.duration': { unit: 's', boundaries: SECONDS },
  'gen_ai.client.operation.time_to_first_chunk': { unit: 's', boundaries: SECONDS },
  'gen_ai.client.token.usage': { unit: '{token}', boundaries: TOKENS },
  // latest
  'gen_ai.client.inference.duration': { unit: 's', boundaries: SECONDS },
  'gen_ai.client.inference.time_to_first_chunk': { unit: 's', boundaries: SECONDS },
  'gen_ai.client.inference.usage.input_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.output_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.cache_read.input_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.reasoning.output_tokens': { unit: '{token}' },
  'gen_ai.invoke_agent.duration': { unit: 's', boundaries: AGENT_SECONDS },
  'gen_ai.invoke_agent.inference_calls': { unit: '{call}', boundaries: CALLS },
  'gen_ai.invoke_agent.tool_calls': { unit: '{call}', boundaries: CALLS },
  'gen_ai.execute_tool.duration': { unit: 's', boundaries: SECONDS },
} as const satisfies Record<string, { readonly unit: string; readonly boundaries?: readonly number[] }>;

export type MetricName = keyof typeof INSTRUMENTS;

type Instrument = (value: number, attributes: Attributes) => void;

/** A meter provider may come late, and another one in a test: instruments belong to the meter that made them. */
const instruments = new WeakMap<Meter, Map<MetricName, Instrument>>();

/** Whether anybody keeps what is measured. */
export function isMeasured(): boolean {
  return meter() !== undefined;
}

/** Measures, unless the value is unknown or nobody keeps it. */
export function measure(name: MetricName, value: number | undefined, attributes: SpanAttributes): void {
  const found = value === undefined ? undefined : meter();
  if (found !== undefined) instrument(found, name)(value as number, defined(attributes));
}

function instrument(from: Meter, name: MetricName): Instrument {
  let known = instruments.get(from);
  if (known === undefined) instruments.set(from, (known = new Map()));
  let found = known.get(name);
  if (found === undefined) known.set(name, (found = create(from, name)));
  return found;
}

function create(from: Meter, name: MetricName): Instrument {
  const described: { unit: string; boundaries?: readonly number[] } = INSTRUMENTS[name];
  const { unit, boundaries } = described;
  if (boundaries === undefined) {
    const counter: Counter = from.createCounter(name, { unit });
    return (value, attributes) => counter.add(value, attributes);
  }
  const advice = { explicitBucketBoundaries: [...boundaries] };
  const histogram: Histogram = from.createHistogram(name, { unit, advice });
  return (value, attributes) => histogram.record(value, attributes);
}
