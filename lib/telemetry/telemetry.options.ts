import type { BootFaults } from '../common/index.js';

const CONVENTIONS = ['latest', '1.41', 'both'] as const;

/**
 * Which GenAI semantic conventions are spoken: `latest` (0.1.0 of their own repository), `1.41` (the last ones published
 * with the general conventions), or `both` while dashboards move.
 */
export type GenAiConventions = (typeof CONVENTIONS)[number];

/** How agents, models and tools tell of themselves. Whether anybody listens is up to the application's OpenTelemetry. */
export interface TelemetryOptions {
  /** Default `latest`. */
  readonly semconv?: GenAiConventions;
  /**
   * Puts what was said into spans: instructions, messages, tool definitions, arguments and results, as JSON. It is what
   * people wrote, and it goes wherever spans go. Default false.
   */
  readonly captureContent?: boolean;
}

/** The options, checked and complete. */
export interface TelemetrySettings {
  readonly semconv: GenAiConventions;
  readonly captureContent: boolean;
}

/** Reads options that may come from configuration; what is wrong is reported as `telemetry_options_invalid`. */
export function readTelemetryOptions(options: TelemetryOptions, faults: BootFaults): TelemetrySettings {
  const { semconv = 'latest', captureContent = false } = options;
  if (!CONVENTIONS.includes(semconv)) report(faults, 'semconv', `is none of ${CONVENTIONS.join(', ')}`);
  if (typeof captureContent !== 'boolean') report(faults, 'captureContent', 'is not boolean');
  return Object.freeze({ semconv, captureContent: captureContent === true });
}

function report(faults: BootFaults, key: string, what: string): void {
  faults.add('telemetry_options_invalid', { key, what });
}
