import { foldAscii } from '../patterns/like-pattern.js';
import { rawSql, sql, type SqlText } from './sql-text.js';
import { textIn } from './text-sql.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';

/** `text LIKE pattern` in a dialect: anchored, `%`, `_`, `\` escapes; unknown for null. */
export function likeSql(column: SqlColumn, pattern: string, isFolded: boolean, dialect: SqlDialect): SqlText {
  const text = textIn(column, dialect);
  if (dialect === 'sqlite') return isFolded ? foldedOnSqlite(text, pattern) : sql`${text} GLOB ${globPattern(pattern)}`;
  const operand = likePattern(isFolded ? foldAscii(pattern) : pattern);
  if (dialect === 'postgres') {
    return sql`${isFolded ? foldedOnPostgres(text) : text} LIKE ${operand} ESCAPE '!'`;
  }
  return sql`${isFolded ? foldedOnMysql(text, pattern) : text} LIKE ${operand} ESCAPE '!'`;
}

/** `lower` folds ASCII alone on SQLite; both sides are lower-case, so that it does not matter what `LIKE` folds there. */
function foldedOnSqlite(text: SqlText, pattern: string): SqlText {
  return sql`lower(${text}) LIKE ${likePattern(foldAscii(pattern))} ESCAPE '!'`;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function foldedOnPostgres(text: SqlText): SqlText {
  return sql`translate(${text}, ${rawSql(`'${UPPER}', '${UPPER.toLowerCase()}'`)})`;
}

/** Letters that the pattern has, one by one: what else there is in the text meets a wildcard, or does not match. */
function foldedOnMysql(text: SqlText, pattern: string): SqlText {
  const letters = [...UPPER].filter((letter) => foldAscii(pattern).includes(letter.toLowerCase()));
  return letters.reduce(
    (folded, letter) => sql`REPLACE(${folded}, ${rawSql(`'${letter}', '${letter.toLowerCase()}'`)})`,
    text,
  );
}

/** `LIKE`'s pattern with `!` as the escape, which no dialect reads in a way of its own. */
function likePattern(pattern: string): string {
  return translated(pattern, { '%': '%', _: '_' }, (character) =>
    '!%_'.includes(character) ? `!${character}` : character,
  );
}

/** SQLite's `LIKE` folds case; `GLOB` does not. */
function globPattern(pattern: string): string {
  return translated(pattern, { '%': '*', _: '?' }, (character) =>
    '*?['.includes(character) ? `[${character}]` : character,
  );
}

function translated(
  pattern: string,
  wildcards: { readonly '%': string; readonly _: string },
  literal: (character: string) => string,
): string {
  return pattern.replace(/\\(.)|([%_])|(.)/gsu, (_match, escaped?: string, wildcard?: '%' | '_', plain?: string) =>
    wildcard === undefined ? literal(escaped ?? plain ?? '') : wildcards[wildcard],
  );
}
