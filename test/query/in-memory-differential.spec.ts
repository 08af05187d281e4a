import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FilterNode, ListPlan, QueryField, SortKey } from '../../lib/query/index.js';
import { InMemoryQueryExecutor, parseListQuery } from '../../lib/query/index.js';
import { Level, ProductRead, Status, productPolicy } from './product-read.js';

/**
 * The semantics once more, said as slowly and plainly as possible: what the compiled executor is held against. It knows
 * clean values only; what is dirty is tabled in the executor's own spec.
 */
const policy = productPolicy({ limits: { maxDepth: 8 } });

type Row = Record<string, unknown>;

function matches(row: Row, node: FilterNode): boolean {
  switch (node.type) {
    case 'and':
      return node.filters.every((filter) => matches(row, filter));
    case 'or':
      return node.filters.some((filter) => matches(row, filter));
    case 'not':
      return !matches(row, node.filter);
    case 'null':
      return ((row[node.field.name] ?? null) === null) === node.isNull;
    case 'list': {
      const isIn = node.operands.some((operand) => order(row[node.field.name], operand, node.field) === 0);
      return node.operator === '$in' ? isIn : !isIn;
    }
    case 'pattern':
      return node.patterns.some((pattern) => matchesPattern(row[node.field.name], pattern, node.operator));
    case 'comparison': {
      const result = order(row[node.field.name], node.operand, node.field);
      if (node.operator === '$eq') return result === 0;
      if (node.operator === '$neq') return result !== 0;
      if (result === undefined) return false;
      return { $gt: result > 0, $gte: result >= 0, $lt: result < 0, $lte: result <= 0 }[node.operator];
    }
  }
}

function order(left: unknown, right: unknown, field: QueryField): number | undefined {
  if (left === null || left === undefined) return undefined;
  if (field.kind === 'decimal') return compare(scaled(String(left)), scaled(String(right)));
  if (field.kind === 'bigint') return compare(BigInt(left as string), BigInt(right as string));
  if (field.kind === 'datetime') return compare((left as Date).getTime(), new Date(right as string | Date).getTime());
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  return compare(Number(left), Number(right));
}

function compare<Value extends number | bigint>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(4, '0'));
}

function matchesPattern(value: unknown, pattern: string, operator: string): boolean {
  if (typeof value !== 'string') return false;
  if (operator === '$regex') return new RegExp(pattern, 'u').test(value);
  const source = pattern.replace(/\\.|[^\\]/gsu, (part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return (part.startsWith('\\') ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&');
  });
  const fold = (text: string) =>
    operator === '$ilike' ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
  return new RegExp(`^${fold(source)}$`, 'su').test(fold(value));
}

function sorted(rows: readonly Row[], sorts: readonly SortKey[]): Row[] {
  return [...rows].sort((a, b) => {
    for (const { field, direction, nulls } of sorts) {
      const [left, right] = [a[field.name] ?? null, b[field.name] ?? null];
      if (left === null && right === null) continue;
      if (left === null) return nulls === 'first' ? -1 : 1;
      if (right === null) return nulls === 'first' ? 1 : -1;
      const result = order(left, right, field) ?? 0;
      if (result !== 0) return direction === 'asc' ? result : -result;
    }
    return 0;
  });
}

const TEXTS = ['', 'a', 'A', 'a ', 'ab', 'b%', 'b_', '\\', 'ä', 'Ä', '😀', '\uffee', "'; --"];
const VALUES = {
  title: TEXTS,
  sku: [...TEXTS, null],
  price: [-1, 0, 0.1, 2.5, 1e21, null],
  stock: [-3, 0, 7, null],
  cost: ['0.1', '0.3', '10.0001', '-2', '100000000000000000000', null],
  views: ['0', '9007199254740993', '9007199254740992', '-5', null],
  sold: [true, false, null],
  status: [Status.Draft, Status.Published, null],
  level: [Level.Low, Level.High, null],
  released: ['2023-12-31', '2024-01-01', '2024-02-29', null],
  createdAt: ['2024-03-31T00:59:59.999Z', '2024-03-31T01:00:00.000Z', '1969-12-31T23:59:59.000Z', null],
} as const;

type Name = keyof typeof VALUES;

const rows = fc
  .sample(
    fc.record(
      Object.fromEntries(Object.entries(VALUES).map(([name, list]) => [name, fc.constantFrom(...list, undefined)])),
    ),
    { seed: 7, numRuns: 200 },
  )
  .map((row, index): Row => ({
    ...row,
    createdAt: typeof row['createdAt'] === 'string' ? new Date(row['createdAt']) : row['createdAt'],
    id: `00000000-0000-4000-8000-${String((index * 7919) % 200).padStart(12, '0')}`,
  }));

const operandOf = (name: Name) => fc.constantFrom(...VALUES[name].filter((value) => value !== null));

function condition(name: Name): fc.Arbitrary<unknown> {
  const operators = policy.filterable[name]?.operators ?? [];
  return fc.oneof(...operators.map((operator) => fc.record({ [operator]: operandFor(name, operator) })));
}

function operandFor(name: Name, operator: string): fc.Arbitrary<unknown> {
  if (operator === '$null') return fc.boolean();
  if (operator === '$in' || operator === '$nin') return fc.array(operandOf(name), { maxLength: 3 });
  if (operator === '$regex') return fc.constantFrom('a', '^a', 'a$', '^.$', '[%_]', '(?:a|b)+', '^$');
  if (operator === '$like' || operator === '$ilike')
    return fc.constantFrom('%', 'a%', '%A', '_', '__', 'b\\%', '%ä%', '\\\\', '%_%');
  return operandOf(name);
}

const leaf = fc
  .constantFrom(...(Object.keys(VALUES) as Name[]))
  .chain((name) => condition(name).map((value) => ({ $values: { [name]: value } })));
const filters = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({ $not: tie('filter') }),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  ),
})).filter;

const direction = fc.constantFrom('asc', 'desc');
const sorts = fc.uniqueArray(fc.constantFrom(...Object.keys(VALUES)), { maxLength: 3 }).chain((names) =>
  fc
    .array(fc.oneof(direction, fc.record({ dir: direction, nulls: fc.constantFrom('first', 'last') })), {
      minLength: names.length,
      maxLength: names.length,
    })
    .map((orders) => Object.fromEntries(names.map((name, index) => [name, orders[index]]))),
);

const idsOf = (list: readonly Row[]) => list.map((row) => row['id']).join();

describe('the in-memory executor', () => {
  const executor = new InMemoryQueryExecutor<ProductRead>(rows as unknown as ProductRead[]);
  const run = async (plan: ListPlan) =>
    (await executor.list(plan)) as unknown as { rows: Row[]; total: number; hasMore: boolean };

  it('agrees with the plain reading of the semantics on random filters', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const plan = parseListQuery({ filters: filter, size: 100 }, policy);
        const expected = rows.filter((row) => matches(row, plan.filter as FilterNode));
        const { rows: found, total } = await run(plan);
        expect(total).toBe(expected.length);
        expect(idsOf(found)).toBe(idsOf(sorted(expected, plan.sorts).slice(0, 100)));
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  it('agrees on random sorts and pages, whether it sorts everything or only the page', async () => {
    await fc.assert(
      fc.asyncProperty(
        sorts,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 60 }),
        async (order, page, size) => {
          const plan = parseListQuery({ sorts: order, page, size }, policy);
          const expected = sorted(rows, plan.sorts).slice((page - 1) * size, page * size);
          const { rows: found, hasMore } = await run(plan);
          expect(idsOf(found)).toBe(idsOf(expected));
          expect(hasMore).toBe(page * size < rows.length && found.length > 0);
        },
      ),
      { seed: 43, numRuns: 400 },
    );
  });
});
