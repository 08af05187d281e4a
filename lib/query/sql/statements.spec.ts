import { describe, expect, it } from '@jest/globals';
import { productPolicy } from '../../../test/query/product-read.js';
import { parseAggregateQuery, parseListQuery } from '../parse/index.js';
import {
  aggregateSql,
  countSql,
  limitSql,
  listSql,
  rawSql,
  toStatement,
  type SqlContext,
  type SqlDialect,
} from './index.js';
import type { ColumnStorage, SqlColumn } from './sql-column.js';

const policy = productPolicy();

const STORAGES: Readonly<Record<string, ColumnStorage>> = {
  id: 'text',
  price: 'real',
  stock: 'integer',
  cost: 'numeric',
  views: 'integer',
  sold: 'boolean',
  released: 'date',
  createdAt: 'datetime',
};

function contextOf(dialect: SqlDialect): SqlContext {
  return {
    dialect,
    columnOf: ({ name }): SqlColumn => ({ sql: `t.${name}`, storage: STORAGES[name] ?? 'text', zone: 'utc' }),
  };
}

const DIALECTS: readonly SqlDialect[] = ['sqlite', 'postgres', 'mysql'];

function listOf(request: unknown) {
  return DIALECTS.map((dialect) => {
    const sql = listSql(parseListQuery(request, policy), [rawSql('t.id')], rawSql('t'), contextOf(dialect));
    return toStatement(sql, (index) => (dialect === 'postgres' ? `$${index + 1}` : '?'));
  });
}

function conditionsOf(filters: unknown): string[] {
  return listOf({ filters }).map(({ text }) =>
    text.replace(/^SELECT t.id FROM t WHERE /, '').replace(/ ORDER BY .*/, ''),
  );
}

describe('the statements of a plan', () => {
  it.each<[what: string, filters: unknown, sqlite: string, postgres: string, mysql: string]>([
    [
      'exact equality of text',
      { $values: { title: 'x' } },
      't.title COLLATE BINARY = ?',
      't.title = $1',
      '(t.title = ? AND CAST(CONVERT(t.title USING utf8mb4) AS BINARY) = CAST(CONVERT(? USING utf8mb4) AS BINARY))',
    ],
    [
      'null among what is negated',
      { $not: { $values: { stock: { $gt: 5 } } } },
      '(t.stock <= CAST(? AS INTEGER) OR t.stock IS NULL)',
      '(t.stock <= CAST($1 AS bigint) OR t.stock IS NULL)',
      '(t.stock <= CAST(? AS DECIMAL(65, 0)) OR t.stock IS NULL)',
    ],
    [
      'negation at the leaves',
      { $not: { $and: [{ $values: { sold: true } }, { $not: { $values: { stock: null } } }] } },
      '((t.sold <> 1 OR t.sold IS NULL) OR t.stock IS NULL)',
      '((t.sold <> CAST($1 AS boolean) OR t.sold IS NULL) OR t.stock IS NULL)',
      '((t.sold <> 1 OR t.sold IS NULL) OR t.stock IS NULL)',
    ],
    ['an empty $in', { $values: { title: { $in: [] } } }, '1 = 0', '1 = 0', '1 = 0'],
    ['an empty $nin', { $values: { title: { $nin: [] } } }, '1 = 1', '1 = 1', '1 = 1'],
    ['a negated empty $in', { $not: { $values: { title: { $in: [] } } } }, '1 = 1', '1 = 1', '1 = 1'],
    ['a list of no patterns', { $values: { title: { $like: [] } } }, '1 = 0', '1 = 0', '1 = 0'],
    [
      'patterns that tell case',
      { $values: { title: { $like: 'a%' } } },
      't.title COLLATE BINARY GLOB ?',
      `t.title COLLATE "C" LIKE $1 ESCAPE '!'`,
      `CONVERT(t.title USING utf8mb4) COLLATE utf8mb4_bin LIKE ? ESCAPE '!'`,
    ],
    [
      'patterns that fold ASCII',
      { $values: { title: { $ilike: 'B_' } } },
      `lower(t.title COLLATE BINARY) LIKE ? ESCAPE '!'`,
      `translate(t.title COLLATE "C", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') LIKE $1 ESCAPE '!'`,
      `REPLACE(CONVERT(t.title USING utf8mb4) COLLATE utf8mb4_bin, 'B', 'b') LIKE ? ESCAPE '!'`,
    ],
    [
      'a number past what the column holds',
      { $values: { views: { $lt: '99999999999999999999' } } },
      't.views <= CAST(? AS REAL)',
      't.views IS NOT NULL',
      't.views IS NOT NULL',
    ],
    [
      'a moment',
      { $values: { createdAt: { $gte: '2024-03-31T01:00:00Z' } } },
      't.createdAt >= ?',
      't.createdAt >= CAST($1 AS timestamp)',
      't.createdAt >= CAST(? AS DATETIME(6))',
    ],
  ])('say %s', (_what, filters, sqlite, postgres, mysql) => {
    expect(conditionsOf(filters)).toEqual([sqlite, postgres, mysql]);
  });

  it('hold no operand: those are parameters, as text', () => {
    const filters = { $values: { title: "'; DROP TABLE t --", stock: { $in: [7017, 8018] }, cost: { $gte: '0.10' } } };
    for (const { text, parameters } of listOf({ filters })) {
      expect(text).not.toMatch(/DROP|7017|8018|0\.1/);
      expect(parameters).toEqual(expect.arrayContaining(["'; DROP TABLE t --", '7017', '8018', '0.1']));
    }
  });

  it('match the characters that a dialect takes for wildcards and a caller does not', () => {
    const [sqlite, postgres, mysql] = listOf({ filters: { $values: { title: { $like: '[a]*?!%_\\%\\_\\\\😀' } } } });
    expect(sqlite?.parameters).toEqual(['[[]a][*][?]!*?%_\\😀']);
    expect(postgres?.parameters).toEqual(['[a]*?!!%_!%!_\\😀']);
    expect(mysql?.parameters).toEqual(postgres?.parameters);
  });

  it('sort null as the plan says, the tie-breaker last, one row more than the page', () => {
    expect(listOf({ sorts: { stock: 'desc', price: { dir: 'asc', nulls: 'last' } }, page: 3, size: 10 })).toEqual([
      {
        text:
          'SELECT t.id FROM t ORDER BY t.stock DESC, t.price ASC NULLS LAST, lower(t.id) COLLATE BINARY ASC' +
          ' LIMIT 11 OFFSET 20',
        parameters: [],
      },
      {
        text:
          'SELECT t.id FROM t ORDER BY t.stock DESC NULLS LAST, t.price ASC NULLS LAST,' +
          ' lower(t.id) COLLATE "C" ASC NULLS FIRST LIMIT 11 OFFSET 20',
        parameters: [],
      },
      {
        text:
          'SELECT t.id FROM t ORDER BY t.stock DESC, t.price IS NULL ASC, t.price ASC,' +
          ' CAST(CONVERT(LOWER(CONVERT(t.id USING utf8mb4)) USING utf8mb4) AS BINARY) ASC LIMIT 11 OFFSET 20',
        parameters: [],
      },
    ]);
  });

  it('compute in a statement of their own, and filter, sort and page around it', () => {
    const plan = parseAggregateQuery(
      {
        $groups: { level: 'level' },
        $computed: { n: { $count: null }, sold: { $sum: { field: 'stock', filter: { $values: { sold: true } } } } },
        $having: { $values: { n: { $gte: 2 } } },
        sorts: { sold: 'desc' },
        size: 10,
      },
      policy,
    );
    const { statement, outputs } = aggregateSql(plan, rawSql('t'), {
      dialect: 'postgres',
      columnOf: ({ name }) => ({ sql: `t.${name}`, storage: name === 'sold' ? 'boolean' : 'integer' }),
    });
    expect(toStatement(statement, (index) => `$${index + 1}`)).toEqual({
      text:
        'SELECT "outputs"."g0" AS "g0", "outputs"."c0" AS "c0", "outputs"."c1" AS "c1" FROM (' +
        'SELECT t.level AS "g0", COUNT(*) AS "c0",' +
        ' CAST(SUM(CASE WHEN t.sold = CAST($1 AS boolean) THEN t.stock END) AS double precision) AS "c1"' +
        ' FROM t GROUP BY 1) AS "outputs" WHERE "outputs"."c0" >= CAST($2 AS bigint)' +
        ' ORDER BY "outputs"."c1" DESC NULLS LAST, "outputs"."g0" ASC NULLS FIRST LIMIT 10 OFFSET 0',
      parameters: [true, '2'],
    });
    expect(outputs.map(({ output }) => output.name)).toEqual(['level', 'n', 'sold']);
  });

  it('count what the filter matches', () => {
    const plan = parseListQuery({ filters: { $values: { sold: false } } }, policy);
    expect(toStatement(countSql(plan, rawSql('t'), contextOf('sqlite')), () => '?').text).toBe(
      'SELECT COUNT(*) AS total FROM t WHERE t.sold = 0',
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('never read %p rows', (limit) => {
    expect(() => limitSql(limit, 0)).toThrow(RangeError);
    expect(() => limitSql(10, limit === 0 ? -1 : limit)).toThrow(RangeError);
  });

  it('are not made of a combination of nothing', () => {
    const plan = { ...parseListQuery({}, policy), filter: { type: 'or', filters: [] } as const };
    expect(() => countSql(plan, rawSql('t'), contextOf('sqlite'))).toThrow(TypeError);
  });
});
