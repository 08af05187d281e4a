import { formatDecimal } from '../kinds/decimal.js';
import { parseDatetime } from '../kinds/temporal.js';
import { rawSql, sql, type SqlText } from './sql-text.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';

/** A moment as milliseconds since the epoch, microseconds as a fraction. */
export function momentOf(operand: unknown): number {
  const epochMs = typeof operand === 'string' ? parseDatetime(operand, 'UTC') : undefined;
  if (epochMs === undefined) throw new TypeError('A plan compares a moment with something else.');
  return epochMs;
}

/** A moment as the number that an epoch column holds. */
export function epochOperand(operand: unknown, storage: 'epochMs' | 'epochSeconds'): string {
  const microseconds = BigInt(Math.round(momentOf(operand) * 1000));
  return formatDecimal({ units: microseconds, scale: storage === 'epochMs' ? 3 : 6 });
}

/** What a `datetime` column is compared with. */
export function momentSql(operand: unknown, column: SqlColumn, dialect: SqlDialect): SqlText {
  const epochMs = momentOf(operand);
  if (dialect === 'sqlite') return sql`${wallClock(epochMs, 'utc')}`;
  if (dialect === 'mysql') return sql`CAST(${wallClock(epochMs, column.zone)} AS DATETIME(6))`;
  if (column.zone === 'stored') return sql`CAST(${`${wallClock(epochMs, 'utc')}+00`} AS timestamptz)`;
  return sql`CAST(${wallClock(epochMs, column.zone)} AS timestamp)`;
}

/**
 * The ways in which SQLite's text says a moment: `datetime('now')` writes no milliseconds, drivers do. Both in the order of
 * the text, so that a bound is the first or the last of them.
 */
export function momentForms(operand: unknown): readonly [string, ...string[]] {
  const text = wallClock(momentOf(operand), 'utc');
  return text.endsWith('.000') ? [text.slice(0, -4), text] : [text];
}

/** A moment in the one form in which it sorts and groups. */
export function orderedMoment(column: SqlColumn, dialect: SqlDialect): SqlText {
  return rawSql(dialect === 'sqlite' ? `strftime('%Y-%m-%d %H:%M:%f', ${column.sql})` : column.sql);
}

/** `2024-02-29 12:00:00.000`, with microseconds where there are some. */
function wallClock(epochMs: number, zone: SqlColumn['zone']): string {
  const whole = Math.floor(epochMs);
  const microseconds = Math.round((epochMs - whole) * 1000);
  const moment = new Date(whole);
  const local = zone === 'local' ? localAsUtc(moment) : moment;
  const text = local.toISOString().replace('T', ' ').slice(0, -1);
  return microseconds === 0 ? text : text + String(microseconds).padStart(3, '0');
}

/** The moment whose UTC clock shows what the local clock shows at this one. */
function localAsUtc(moment: Date): Date {
  const shown = new Date(0);
  shown.setUTCFullYear(moment.getFullYear(), moment.getMonth(), moment.getDate());
  shown.setUTCHours(moment.getHours(), moment.getMinutes(), moment.getSeconds(), moment.getMilliseconds());
  return shown;
}
