import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { SchemaContext } from '../../lib/operations/index.js';
import {
  QueryError,
  aggregateQuerySchema,
  listQuerySchema,
  parseAggregateQuery,
  parseListQuery,
  type CursorPaging,
  type QueryIssue,
} from '../../lib/query/index.js';
import { productPolicy } from './product-read.js';

const policy = productPolicy({
  filterable: {
    title: true,
    price: true,
    cost: true,
    status: true,
    createdAt: ['$gte', '$eq'],
    sold: true,
    level: ['$in'],
    released: true,
  },
  sortable: ['title', 'price'],
  aggregatable: { status: true, price: ['$sum', '$avg'], title: 'group' },
  returnable: ['id', 'title', 'tags'],
  maxSize: 50,
});

/**
 * What no JSON Schema can say, so that a request may fit the schema and still be refused: the whole list.
 * Depth, number of conditions and size of a request are bounded elsewhere, and not reached here.
 */
const SEMANTIC: readonly { code: string; at: RegExp; what: string }[] = [
  { code: 'filter_pattern_invalid', at: /./, what: 'the syntax of a pattern: a lone backslash, what is not RE2' },
  {
    code: 'filter_operand_invalid',
    at: /./,
    what: 'calendar and clock, range of integers, text that no store can hold',
  },
  {
    code: 'cursor_invalid',
    at: /^\/(after|before)$/,
    what: 'which cursors there are, and that one of the two is sent',
  },
  { code: 'filter_operand_invalid', at: /^\/\$having/, what: 'an operand of another kind than the alias' },
  { code: 'filter_operator_not_allowed', at: /^\/\$having/, what: 'an operator that the kind of the alias lacks' },
  { code: 'field_not_filterable', at: /^\/\$having/, what: 'an alias that the query does not give' },
  { code: 'field_not_sortable', at: /^\/sorts/, what: 'an alias that the query does not give' },
  { code: 'aggregate_alias_invalid', at: /^\/\$(groups|computed)/, what: 'an alias used twice, or reserved' },
  { code: 'aggregate_shape_invalid', at: /^$/, what: 'neither groups nor computed values' },
];

/** A list query has no aliases. */
const isSemantic = (form: Form, { code, pointer }: QueryIssue) =>
  SEMANTIC.slice(...({ list: [0, 2], walk: [0, 3], aggregate: [0] } as const)[form]).some(
    (limit) => limit.code === code && limit.at.test(pointer),
  );

type Form = 'list' | 'walk' | 'aggregate';

const PAGING = { list: 'offset', walk: 'cursor' } as const;

function validatorOf(form: Form) {
  const context = new SchemaContext();
  const schema =
    form === 'aggregate' ? aggregateQuerySchema(policy, context) : listQuerySchema(policy, context, PAGING[form]);
  return new Ajv2020({ strict: true }).compile({ ...schema, $defs: { ...context.definitions } });
}

function issuesOf(form: Form, query: unknown): readonly QueryIssue[] {
  try {
    if (form === 'aggregate') parseAggregateQuery(query, policy);
    else parseListQuery(query, policy, { paging: PAGING[form] });
    return [];
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
}

/** Mostly what fits, now and then what does not: a query has many parts, and one misfit spoils it. */
const mostly = <Good, Bad>(good: fc.Arbitrary<Good>, bad: fc.Arbitrary<Bad>) =>
  fc.oneof(
    { weight: 19, arbitrary: good as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: bad as fc.Arbitrary<unknown> },
  );

const misfit = fc.constantFrom<unknown>(
  'x',
  '10.5',
  5,
  2.5,
  true,
  null,
  'lost',
  '2023-02-30',
  [],
  {},
  '\0',
  [null],
  1e300,
);

const OPERANDS = new Map<string, readonly unknown[]>(
  Object.entries({
    title: ['x', '', 'a%', '\0'],
    price: [5, 2.5, -0, 1e300],
    cost: ['10.5', '-1', '0'],
    status: ['draft', 'published'],
    createdAt: ['2024-01-01T00:00:00Z', '2024-01-01T00:00', '2024-01-01T25:00:00Z'],
    sold: [true, false],
    level: [1, 2],
    released: ['2024-02-29', '2023-02-30'],
    n: [5, 'x'],
    a: ['draft', 1],
  }),
);

const pattern = fc.constantFrom('a%', '\\_', 'a\\', '(', '(?i)a');

const fieldOperators = (name: string) =>
  Object.hasOwn(policy.filterable, name) ? policy.filterable[name]?.operators : undefined;

function conditionOf(name: string): fc.Arbitrary<unknown> {
  const operand = mostly(fc.constantFrom(...(OPERANDS.get(name) ?? ['x'])), misfit);
  const list = fc.array(operand, { maxLength: 3 });
  const operators: Record<string, fc.Arbitrary<unknown>> = {
    $eq: operand,
    $neq: operand,
    $gte: operand,
    $lt: operand,
    $in: list,
    $nin: list,
    $null: mostly(fc.boolean(), misfit),
    $like: fc.oneof(pattern, fc.array(pattern, { maxLength: 2 })),
    $regex: pattern,
    $ne: operand,
  };
  const allowed = fieldOperators(name) ?? ['$eq', '$gte', '$in', '$null'];
  const usable = Object.keys(operators).filter((each) => (allowed as readonly string[]).includes(each));
  const good = fc.subarray(usable, { minLength: 1, maxLength: Math.min(2, usable.length) });
  const map = mostly(good, fc.constantFrom(['$ne'], [], ['$lt'], ['$like'])).chain((names) =>
    fc.record(Object.fromEntries((names as string[]).map((each) => [each, operators[each] as fc.Arbitrary<unknown>]))),
  );
  return fc.oneof(operand, list, fc.constant(null), map, map);
}

const valuesOver = (names: readonly string[], strange: readonly string[]) =>
  fc
    .array(mostly(fc.constantFrom(...names), fc.constantFrom(...strange)), { maxLength: 2, minLength: 1 })
    .chain((chosen) => fc.record(Object.fromEntries((chosen as string[]).map((name) => [name, conditionOf(name)]))));

const filterOver = (names: readonly string[], strange: readonly string[]) =>
  fc.letrec<{ filter: unknown }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2 },
      mostly(valuesOver(names, strange), fc.constant({})).map(($values) => ({ $values })),
      fc.record({ $not: tie('filter') }),
      fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ $or: mostly(fc.array(tie('filter'), { minLength: 1, maxLength: 2 }), fc.constant([])) }),
      mostly(fc.record({ $not: tie('filter') }), fc.record({ $not: tie('filter'), $or: tie('filter') })),
    ),
  })).filter;

const FIELDS = ['title', 'price', 'cost', 'status', 'createdAt', 'sold', 'level', 'released'];
const filters = filterOver(FIELDS, ['secret', 'id', 'constructor']);
const sortOrder = mostly(
  fc.oneof(
    fc.constantFrom('asc', 'desc'),
    fc.record({ dir: fc.constant('asc'), nulls: fc.constantFrom('first', 'last') }, { requiredKeys: ['dir'] }),
  ),
  fc.constantFrom('up', null, {}, { dir: 'asc', nulls: 'mid' }, { nulls: 'last' }),
);
const bound = (...good: number[]) =>
  mostly(fc.constantFrom(...good), fc.constantFrom<unknown>(-1, 0, 51, 1e9, 2.5, '10', null));
const paging = { page: bound(1, 2, 1e6), size: bound(1, 50) };

/** Every part there now and then. */
const partly = (parts: Record<string, fc.Arbitrary<unknown>>) => fc.record(parts, { requiredKeys: [] });
const named = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 });

const listsWith = (pages: Record<string, fc.Arbitrary<unknown>>) =>
  mostly(
    partly({
      filters,
      sorts: named(['title', 'price', 'title', 'price', 'cost'], sortOrder),
      select: mostly(fc.subarray(['id', 'title', 'tags'], { minLength: 1 }), fc.constantFrom([], ['secret'], 'id')),
      ...pages,
    }),
    fc.constantFrom<unknown>({ extra: 1 }, { page: 1, after: 'abc' }, [], null, 'x'),
  );
const lists = listsWith(paging);
/** Of its one filter and order; with others it is a cursor all the same, for the schema. */
const CURSOR = (parseListQuery({}, policy, { paging: 'cursor' }).paging as CursorPaging).cursorOf({ id: 'x' });
const cursor = fc.constantFrom<unknown>(CURSOR, CURSOR, 'abc', 'a b', '', 5, null, 'x'.repeat(9000));
const walks = fc.oneof(
  listsWith({ size: paging.size, after: cursor }),
  fc.record({ before: fc.constant(CURSOR), size: paging.size, select: fc.constant(['id']) }),
);

const measured = (field: string) =>
  fc.oneof(fc.constant(field), fc.record({ field: fc.constant(field), filter: filters }, { requiredKeys: ['field'] }));
const metric = mostly(
  fc.oneof(
    fc.constant({ $count: null }),
    fc.record({ $count: fc.record({ filter: filters }, { requiredKeys: [] }) }),
    fc.record({ $sum: measured('price') }),
    fc.record({ $avg: measured('price') }),
    fc.record({ $count_distinct: measured('status') }),
  ),
  fc.constantFrom<unknown>(
    {},
    { $median: 'price' },
    { $sum: 'title' },
    { $sum: {} },
    { $sum: 'price', $avg: 'price' },
    { $count: 'x' },
  ),
);
const aggregates = partly({
  $groups: named(
    ['a', 'b', 'c'],
    mostly(fc.constantFrom('status', 'title'), fc.constantFrom<unknown>('price', 'secret', 1)),
  ),
  $computed: named(['n', 'm', 'o', 'p', 'q', 'n 2', 'constructor'], metric),
  $having: filterOver(['a', 'n'], ['zz']),
  filters,
  sorts: named(['a', 'n'], sortOrder),
  ...paging,
});

describe.each<[Form, fc.Arbitrary<unknown>]>([
  ['list', lists],
  ['walk', walks],
  ['aggregate', aggregates],
])('the schema of the %s query', (form, queries) => {
  const validate = validatorOf(form);

  it('accepts nothing that is refused, up to the written list', () => {
    let accepted = 0;
    fc.assert(
      fc.property(queries, (query) => {
        if (!validate(query)) return;
        accepted++;
        expect(issuesOf(form, query).filter((issue) => !isSemantic(form, issue))).toEqual([]);
      }),
      { seed: 11, numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('refuses nothing that is accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(queries, (query) => {
        if (issuesOf(form, query).length > 0) return;
        accepted++;
        expect([query, validate(query)]).toEqual([query, true]);
      }),
      { seed: 12, numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
