import { isPlainObject } from '../../../common/index.js';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A text that says something; undefined for everything else, blanks included. */
export function saidText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A text, however empty. */
export function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}

export function recordOf(value: unknown): JsonRecord | undefined {
  return isPlainObject(value) ? value : undefined;
}

export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

/** A count of something; undefined for everything else. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
