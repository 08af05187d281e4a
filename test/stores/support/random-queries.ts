import fc from 'fast-check';
import type { FilterOperator, ResolvedQueryPolicy } from '../../../lib/query/index.js';
import { STRANGERS, VALUES, type AwkwardField } from './awkward-rows.js';

const LIKES = [
  '%',
  'a%',
  '%A',
  '_',
  '__',
  'b\\%',
  'b\\_',
  '%ä%',
  '\\\\',
  'a\\\\b',
  '%_%',
  '%!',
  '[a]',
  '*',
  '?%',
  '%?',
  'İ',
  'A_',
  '%😀%',
  '_a',
  ' %',
  '% ',
  '%i%',
  '',
];

/** Random requests under a policy of awkward rows, as a caller would send them. */
export interface RandomQueries {
  readonly filters: fc.Arbitrary<unknown>;
  readonly sorts: fc.Arbitrary<Readonly<Record<string, unknown>>>;
  readonly aggregates: fc.Arbitrary<Readonly<Record<string, unknown>>>;
}

/** @param policy narrowed to what the store can run */
export function randomQueries(policy: ResolvedQueryPolicy): RandomQueries {
  const filters = filtersOf(leavesOf(policy));
  const names = Object.keys(policy.sortable);
  return { filters, sorts: sortsOf(names, 3), aggregates: aggregatesOf(policy, filters) };
}

/** Conditions that random ones seldom meet: every operand near a value or past what columns hold, and every pattern. */
export function edgeFilters(policy: ResolvedQueryPolicy): readonly unknown[] {
  return (Object.keys(VALUES) as AwkwardField[]).flatMap((name) =>
    (policy.filterable[name]?.operators ?? []).flatMap((operator) => {
      if (operator === '$null' || operator === '$regex') return [];
      const operands: readonly unknown[] = operator === '$like' || operator === '$ilike' ? LIKES : STRANGERS[name];
      const isList = operator === '$in' || operator === '$nin';
      return operands.map((operand) => ({ $values: { [name]: { [operator]: isList ? [operand] : operand } } }));
    }),
  );
}

/** Every function over every field: alone, by groups, and of small decimals only, whose averages have many digits. */
export function everyAggregate(policy: ResolvedQueryPolicy): readonly unknown[] {
  return Object.values(policy.aggregatable).flatMap(({ field, functions }) =>
    functions.flatMap((each) => {
      const $computed = { value: { [each]: field.name } };
      const filters = { $values: { cost: { $lt: '5' } } };
      return [
        { $computed },
        { $computed, filters },
        { $computed, $groups: { by: 'level' } },
        { $computed, $groups: { by: 'status' } },
      ];
    }),
  );
}

function leavesOf(policy: ResolvedQueryPolicy): fc.Arbitrary<unknown> {
  return fc
    .constantFrom(...(Object.keys(VALUES) as AwkwardField[]))
    .chain((name) =>
      fc
        .constantFrom(...(policy.filterable[name]?.operators ?? []))
        .chain((operator) =>
          operandFor(name, operator).map((operand) => ({ $values: { [name]: { [operator]: operand } } })),
        ),
    );
}

function filtersOf(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.letrec<{ filter: unknown }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ $not: tie('filter') }),
      fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    ),
  })).filter;
}

function operandFor(name: AwkwardField, operator: FilterOperator): fc.Arbitrary<unknown> {
  if (operator === '$null') return fc.boolean();
  if (operator === '$in' || operator === '$nin') return fc.array(operandOf(name), { maxLength: 3 });
  if (operator === '$regex') return fc.constantFrom('a', '^a', 'a$', '^.$', '[%_]', '(?:a|b)+', '^$');
  if (operator === '$like' || operator === '$ilike') {
    return fc.oneof(fc.constantFrom(...LIKES), fc.array(fc.constantFrom(...LIKES), { maxLength: 2 }));
  }
  return operandOf(name);
}

function operandOf(name: AwkwardField): fc.Arbitrary<unknown> {
  const known = VALUES[name].filter((value) => value !== null);
  return fc.constantFrom<unknown>(...known, ...STRANGERS[name]);
}

function sortsOf(names: readonly string[], maxLength: number): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const direction = fc.constantFrom('asc', 'desc');
  const order = fc.oneof(direction, fc.record({ dir: direction, nulls: fc.constantFrom('first', 'last') }));
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(() => order))
        .map((orders) => Object.fromEntries(chosen.map((name, index) => [name, orders[index]]))),
    );
}

function aggregatesOf(
  policy: ResolvedQueryPolicy,
  filters: fc.Arbitrary<unknown>,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = Object.values(policy.aggregatable).filter(({ field }) => field.name !== 'id');
  const groups = fc
    .uniqueArray(fc.constantFrom(...fields.filter((each) => each.isGroup).map(({ field }) => field.name)), {
      maxLength: 2,
    })
    .map((names) => Object.fromEntries(names.map((name, index) => [`by${index}`, name])));
  const measures = fields.flatMap(({ field, functions }) => functions.map((each) => [each, field.name] as const));
  const measure = fc.oneof(
    fc.constant({ $count: null }),
    filters.map((filter) => ({ $count: { filter } })),
    fc.constantFrom(...measures).map(([each, field]) => ({ [each]: field })),
    fc.tuple(fc.constantFrom(...measures), filters).map(([[each, field], filter]) => ({ [each]: { field, filter } })),
  );
  const computed = fc
    .array(measure, { minLength: 1, maxLength: 3 })
    .map((list) => Object.fromEntries(list.map((each, index) => [`value${index}`, each])));
  return fc.tuple(groups, computed, fc.option(filters)).chain(([$groups, $computed, filter]) => {
    const names = [...Object.keys($groups), ...Object.keys($computed)];
    return fc.tuple(sortsOf(names, 2), fc.option(havingOf(names))).map(([sorts, $having]) => ({
      ...(Object.keys($groups).length > 0 && { $groups }),
      $computed,
      sorts,
      ...($having !== null && { $having }),
      ...(filter !== null && { filters: filter }),
    }));
  });
}

/** Aliases have whatever kind: what does not fit theirs is refused, and tried again by the caller. */
function havingOf(names: readonly string[]): fc.Arbitrary<unknown> {
  const operand = fc.constantFrom<unknown>(
    0,
    1,
    5,
    10,
    2.25,
    -1,
    '0',
    '10',
    '0.3',
    '9007199254740992',
    'a',
    'A',
    true,
    '2024-01-01',
  );
  const condition = fc.oneof(
    fc.record({ $null: fc.boolean() }),
    fc
      .tuple(fc.constantFrom('$eq', '$neq', '$gt', '$gte', '$lt', '$lte'), operand)
      .map(([key, value]) => ({ [key]: value })),
    fc.record({ $in: fc.array(operand, { maxLength: 1 }) }),
  );
  const leaf = fc.tuple(fc.constantFrom(...names), condition).map(([name, value]) => ({ $values: { [name]: value } }));
  return fc.oneof(
    leaf,
    leaf.map(($not) => ({ $not })),
  );
}
