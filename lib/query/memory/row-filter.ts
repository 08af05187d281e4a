import type { ComparisonNode, FilterNode, ListNode, PatternNode } from '../ast.js';
import {
  comparableOperand,
  comparatorOf,
  identityOf,
  rowReader,
  type Comparable,
  type QueryField,
} from '../kinds/index.js';
import { compileLike, compileRegex, type TextTest } from '../patterns/index.js';

export type Row = Readonly<Record<string, unknown>>;
export type RowTest = (row: Row) => boolean;

/** Compiles a filter once, into closures that are run for every row. */
export function compileFilter(filter: FilterNode): RowTest {
  switch (filter.type) {
    case 'and':
      return every(filter.filters.map(compileFilter));
    case 'or':
      return some(filter.filters.map(compileFilter));
    case 'not':
      return negate(compileFilter(filter.filter));
    case 'null':
      return compileNull(filter.field, filter.isNull);
    case 'list':
      return compileList(filter);
    case 'pattern':
      return compilePattern(filter);
    case 'comparison':
      return compileComparison(filter);
  }
}

function every(tests: readonly RowTest[]): RowTest {
  const [first, second, ...rest] = tests;
  if (first === undefined) throw new TypeError('A filter combines nothing.');
  if (second === undefined) return first;
  if (rest.length === 0) return (row) => first(row) && second(row);
  return (row) => tests.every((test) => test(row));
}

function some(tests: readonly RowTest[]): RowTest {
  const [first, second, ...rest] = tests;
  if (first === undefined) throw new TypeError('A filter combines nothing.');
  if (second === undefined) return first;
  if (rest.length === 0) return (row) => first(row) || second(row);
  return (row) => tests.some((test) => test(row));
}

function negate(test: RowTest): RowTest {
  return (row) => !test(row);
}

function compileNull(field: QueryField, isNull: boolean): RowTest {
  const { name } = field;
  const read = rowReader(field);
  return (row) => (read(row[name]) === null) === isNull;
}

function compileComparison({ field, operator, operand }: ComparisonNode): RowTest {
  const expected = comparableOperand(field, operand);
  if (operator === '$eq') return equals(field, expected);
  if (operator === '$neq') return negate(equals(field, expected));
  const { name } = field;
  const read = rowReader(field);
  const compare = comparatorOf(field);
  const test = ORDER[operator];
  return (row) => {
    const value = read(row[name]);
    return value !== null && test(compare(value, expected));
  };
}

const ORDER = {
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
} as const;

function equals(field: QueryField, expected: Comparable): RowTest {
  const { name } = field;
  const read = rowReader(field);
  if (field.kind === 'decimal') {
    const compare = comparatorOf(field);
    return (row) => {
      const value = read(row[name]);
      return value !== null && compare(value, expected) === 0;
    };
  }
  return (row) => read(row[name]) === expected;
}

function compileList({ field, operator, operands }: ListNode): RowTest {
  const { name } = field;
  const read = rowReader(field);
  const identity = identityOf(field);
  const wanted = new Set(operands.map((operand) => identity(comparableOperand(field, operand))));
  const isIn: RowTest = (row) => {
    const value = read(row[name]);
    return value !== null && wanted.has(identity(value));
  };
  return operator === '$in' ? isIn : negate(isIn);
}

function compilePattern({ field, operator, patterns }: PatternNode): RowTest {
  const { name } = field;
  const read = rowReader(field);
  const tests = patterns.map((pattern) => textTest(operator, pattern));
  return (row) => {
    const value = read(row[name]) as string | null;
    return value !== null && tests.some((test) => test(value));
  };
}

function textTest(operator: PatternNode['operator'], pattern: string): TextTest {
  if (operator !== '$regex') return compileLike(pattern, { foldCase: operator === '$ilike' });
  const test = compileRegex(pattern);
  if (test === undefined) throw new TypeError('A plan holds a pattern that is not RE2.');
  return test;
}
