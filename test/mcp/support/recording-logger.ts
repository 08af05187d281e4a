import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';

/** A logger of every level, and all that it was told, objects with whatever is in them. */
export function recordingLogger(): { readonly logger: LoggerService; readonly records: string[] } {
  const records: string[] = [];
  const record = (...told: unknown[]): void => {
    records.push(told.map((each) => (typeof each === 'string' ? each : inspect(each, { depth: 20 }))).join(' '));
  };
  const logger = { log: record, error: record, warn: record, debug: record, verbose: record, fatal: record };
  return { logger, records };
}
