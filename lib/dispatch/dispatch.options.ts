import { MAX_TIMER_MS, type BootFaults } from '../common/index.js';
import { isForbiddenHeader } from './http/request-headers.js';

/** How many bytes of arguments a call may have unless something else is said. */
export const MAX_ARGUMENT_BYTES = 1_048_576;

export interface DispatchOptions {
  /**
   * Headers of the caller that go along with each tool call, besides `authorization`, `traceparent` and `tracestate`.
   * Cookies travel only when `cookie` is listed. Hop-by-hop and framing headers can't be listed. Default: none.
   */
  readonly forwardHeaders?: readonly string[];
  /** What one tool call may take, in milliseconds; a caller's deadline shortens it. Default: 30,000. */
  readonly timeoutMs?: number;
  /** What an operation may take over plain HTTP, in milliseconds. Default: as long as it does. */
  readonly httpTimeoutMs?: number;
  /** Size of a tool call's arguments as JSON, in bytes. Default: 1,048,576. */
  readonly maxArgumentBytes?: number;
  /** Size of an answer, in bytes. Default: 262,144. */
  readonly maxResultBytes?: number;
  /** How deep tool calls may be nested: an operation that calls an agent that calls the operation. Default: 4. */
  readonly maxDepth?: number;
  /** How many calls of one `dispatchAll` run side by side. Default: 8. */
  readonly concurrency?: number;
}

export interface ResolvedDispatchOptions extends Required<Omit<DispatchOptions, 'forwardHeaders' | 'httpTimeoutMs'>> {
  readonly forwardHeaders: ReadonlySet<string>;
  readonly httpTimeoutMs: number | undefined;
}

export const DISPATCH_OPTIONS = Symbol.for('nestjs-palette:dispatch:DISPATCH_OPTIONS');

const ALWAYS_FORWARDED = ['authorization', 'traceparent', 'tracestate'];

const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const MAX_CALLS = 1_000_000;

/** Fills in the defaults. A header that must not travel, and a limit that is none, are boot faults. */
export function resolveDispatchOptions(options: DispatchOptions, faults: BootFaults): ResolvedDispatchOptions {
  const listed = listedHeaders(options.forwardHeaders ?? [], faults);
  for (const header of listed.filter(isForbiddenHeader)) faults.add('dispatch_header_forbidden', { header });
  const limits = {
    timeoutMs: options.timeoutMs ?? 30_000,
    maxArgumentBytes: options.maxArgumentBytes ?? MAX_ARGUMENT_BYTES,
    maxResultBytes: options.maxResultBytes ?? 262_144,
    maxDepth: options.maxDepth ?? 4,
    concurrency: options.concurrency ?? 8,
  };
  const { httpTimeoutMs } = options;
  inRange(faults, 'timeoutMs', limits.timeoutMs, MAX_TIMER_MS);
  if (httpTimeoutMs !== undefined) inRange(faults, 'httpTimeoutMs', httpTimeoutMs, MAX_TIMER_MS);
  inRange(faults, 'maxArgumentBytes', limits.maxArgumentBytes, MAX_BYTES);
  inRange(faults, 'maxResultBytes', limits.maxResultBytes, MAX_BYTES);
  inRange(faults, 'maxDepth', limits.maxDepth, MAX_CALLS);
  checkConcurrency(limits.concurrency, faults);
  return Object.freeze({
    ...limits,
    httpTimeoutMs,
    forwardHeaders: new Set([...ALWAYS_FORWARDED, ...listed.filter((name) => !isForbiddenHeader(name))]),
  });
}

/** How many calls run side by side: with a number that is none, none of them would. */
export function checkConcurrency(concurrency: number, faults: BootFaults): void {
  inRange(faults, 'concurrency', concurrency, MAX_CALLS);
}

/** Configuration may come from the environment, as text: `'30000'`, added to the time of day, is no deadline. */
function inRange(faults: BootFaults, key: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  faults.add('dispatch_options_invalid', { key, what: `must be a whole number from 1 to ${max}` });
}

function listedHeaders(names: readonly unknown[], faults: BootFaults): string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) {
    return names.map((name) => name.toLowerCase());
  }
  faults.add('dispatch_options_invalid', { key: 'forwardHeaders', what: 'must be a list of names of headers' });
  return [];
}
