import { isPlainObject, ownValue } from '../../common/index.js';
import type { DataEgressAcknowledgement } from '../egress-http.options.js';

export type AcknowledgementState =
  { readonly accepted: true | DataEgressAcknowledgement } | { readonly accepted: false; readonly problem?: string };

const KEYS = ['by', 'reason', 'on', 'expires'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;

/**
 * Reads `acknowledgeDataEgress`. Only `true` itself and a complete acknowledgement accept: configuration hands strings, and
 * "false" is a truthy one. A problem is in words that follow the key.
 */
export function readAcknowledgement(value: unknown, now: number): AcknowledgementState {
  if (value === true) return { accepted: true };
  if (value === undefined || value === false) return { accepted: false };
  if (!isPlainObject(value)) return { accepted: false, problem: `is ${kindOf(value)} and not a boolean` };
  const problem = acknowledgementProblem(value, now);
  if (problem !== undefined) return { accepted: false, problem };
  const known = KEYS.filter((key) => ownValue(value, key) !== undefined).map((key) => [key, value[key]]);
  return { accepted: Object.freeze(Object.fromEntries(known)) as DataEgressAcknowledgement };
}

/** How a message names a configured value without repeating it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function acknowledgementProblem(value: Record<string, unknown>, now: number): string | undefined {
  for (const key of ['by', 'reason'] as const) {
    const text = ownValue(value, key);
    if (typeof text !== 'string' || text.trim() === '') return `says nothing in \`${key}\``;
  }
  if (endOf(ownValue(value, 'on')) === undefined) return 'has no date in `on`: write YYYY-MM-DD';
  const expires = ownValue(value, 'expires');
  if (expires === undefined) return undefined;
  const end = endOf(expires);
  if (end === undefined) return 'has no date in `expires`: write YYYY-MM-DD';
  return end <= now ? 'has expired' : undefined;
}

/** When a moment is over; a day is over at its end, UTC. */
function endOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const start = Date.parse(text);
  if (Number.isNaN(start)) return undefined;
  // Date.parse takes the 31st of February for the 3rd of March.
  if (DAY.test(text)) return new Date(start).toISOString().startsWith(text) ? start + DAY_MS : undefined;
  return MOMENT.test(text) ? start : undefined;
}
