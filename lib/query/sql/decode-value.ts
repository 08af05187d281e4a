import { jsonValueOf, rowReader, type QueryField } from '../kinds/index.js';
import { formatDatetime, parseDatetime } from '../kinds/temporal.js';
import type { SqlColumn } from './sql-column.js';

/**
 * What a driver answered for `outputSql`, as the JSON value of the field's kind: the same on every store. What is not of
 * the kind is left as it is.
 */
export function decodeValue(value: unknown, field: QueryField, column: SqlColumn): unknown {
  if (value === null || value === undefined) return null;
  const plain = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  if (field.kind === 'boolean') return booleanOf(plain);
  if (field.kind === 'datetime') return momentOf(plain, column) ?? plain;
  const read = rowReader(field)(plain);
  return read === null ? plain : jsonValueOf(field, read);
}

/** MySQL and SQLite keep numbers. */
function booleanOf(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  const text = String(value);
  if (text === '1' || text === 'true') return true;
  return text === '0' || text === 'false' ? false : value;
}

const CLOCK = /^(\d{4}-\d{2}-\d{2})[ T](\d{2})[.:](\d{2})[.:](\d{2}(?:\.\d{1,6})?)$/;

function momentOf(value: unknown, { storage, zone }: SqlColumn): string | undefined {
  if (storage === 'epochMs' || storage === 'epochSeconds') {
    const epochMs = Number(value) * (storage === 'epochMs' ? 1 : 1000);
    return Number.isFinite(epochMs) ? formatDatetime(epochMs) : undefined;
  }
  const match = CLOCK.exec(String(value));
  const utcMs = match ? parseDatetime(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`, 'UTC') : undefined;
  if (utcMs === undefined) return undefined;
  return formatDatetime(zone === 'local' ? fromLocal(utcMs) : utcMs);
}

/** The moment at which the local clock shows what the UTC clock shows at another. */
function fromLocal(utcMs: number): number {
  const whole = Math.floor(utcMs);
  const shown = new Date(whole);
  const local = new Date(0);
  local.setFullYear(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate());
  local.setHours(shown.getUTCHours(), shown.getUTCMinutes(), shown.getUTCSeconds(), shown.getUTCMilliseconds());
  return local.getTime() + (utcMs - whole);
}
