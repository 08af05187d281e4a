import type { BootFaults } from '../common/index.js';
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

/** Fills in the defaults; a header that must not travel is a boot fault. */
export function resolveDispatchOptions(options: DispatchOptions, faults: BootFaults): ResolvedDispatchOptions {
  const listed = (options.forwardHeaders ?? []).map((name) => name.toLowerCase());
  for (const header of listed.filter(isForbiddenHeader)) faults.add('dispatch_header_forbidden', { header });
  return Object.freeze({
    forwardHeaders: new Set([...ALWAYS_FORWARDED, ...listed.filter((name) => !isForbiddenHeader(name))]),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxArgumentBytes: options.maxArgumentBytes ?? MAX_ARGUMENT_BYTES,
    maxResultBytes: options.maxResultBytes ?? 262_144,
    maxDepth: options.maxDepth ?? 4,
    httpTimeoutMs: options.httpTimeoutMs,
    concurrency: options.concurrency ?? 8,
  });
}
