import { sql, type SQL } from 'drizzle-orm';
import type { SqlText, SqlValue } from '../../query/sql/index.js';

/** A part of a statement as Drizzle's own: its texts as they are, and a parameter of the driver's for each value. */
export function toDrizzleSql({ texts, values }: SqlText): SQL {
  return sql.join(
    texts.flatMap((text, index) => (index === 0 ? [sql.raw(text)] : [sql.param(values[index - 1]), sql.raw(text)])),
  );
}

/**
 * The application's own SQL as a part of a statement. It stands where a value would: what composes statements never looks
 * into values, and Drizzle writes out a parameter that is SQL.
 */
export function fromDrizzleSql(part: SQL): SqlText {
  return { texts: ['', ''], values: [part as unknown as SqlValue] };
}
