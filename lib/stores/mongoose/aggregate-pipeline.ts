import type { AggregatePlan, ComputedValue, FilterNode, OutputField, QueryField } from '../../query/index.js';
import { conditionExpression, valueOf } from './condition-expression.js';
import { conditionOf } from './condition.js';
import { matchFilter } from './match-filter.js';
import type { Document, MongooseInstance } from './mongoose-model.js';
import { sortStages } from './sort-stages.js';
import type { FieldResolver } from './stored-field.js';
import { codecOf, type StorageFamily } from './value-codec.js';

/** Groups and computes: one document a group, by the columns of the plan. */
export function groupStages({ groups, computed }: AggregatePlan, resolve: FieldResolver): Document[] {
  const keys = groups.map(({ output, field }) => [output.column, valueOf(resolve(field).path)] as const);
  const written = computed.map((value) => ({ column: value.output.column, ...computedParts(value, resolve) }));
  return [
    {
      $group: {
        _id: keys.length === 0 ? null : Object.fromEntries(keys),
        ...Object.assign({}, ...written.map(({ accumulators }) => accumulators)),
      },
    },
    {
      $project: {
        _id: 0,
        ...Object.fromEntries(keys.map(([column]) => [column, `$_id.${column}`])),
        ...Object.fromEntries(written.map(({ column, result }) => [column, result])),
      },
    },
  ];
}

/** What is kept of the groups, in order; the page of them. */
export function pageStages(
  plan: AggregatePlan,
  resolve: FieldResolver,
  types: MongooseInstance['Types'],
): readonly Document[] {
  const resolveOutput = outputResolver(plan, resolve, types);
  const { offset, size } = plan.paging;
  return [
    ...(plan.having === undefined ? [] : [{ $match: matchFilter(conditionOf(plan.having, resolveOutput)) }]),
    ...sortStages(plan.sorts, resolveOutput).stages,
    { $skip: offset },
    { $limit: size },
  ];
}

interface ComputedParts {
  readonly accumulators: Document;
  readonly result: unknown;
}

function computedParts(computed: ComputedValue, resolve: FieldResolver): ComputedParts {
  const { column } = computed.output;
  const own = `$${column}`;
  if (computed.function === '$count') {
    const counted = computed.filter === undefined ? 1 : { $cond: [testOf(computed.filter, resolve), 1, 0] };
    return { accumulators: { [column]: { $sum: counted } }, result: own };
  }
  const { path, family } = resolve(computed.field);
  const found = valueOf(path);
  const value = computed.filter === undefined ? found : { $cond: [testOf(computed.filter, resolve), found, null] };
  const number = { [isExact(family) ? '$toDecimal' : '$toDouble']: value };
  switch (computed.function) {
    case '$min':
    case '$max':
      return { accumulators: { [column]: { [computed.function]: value } }, result: own };
    case '$count_distinct':
      return {
        accumulators: { [column]: { $addToSet: value } },
        result: { $size: { $setDifference: [own, { $literal: [null] }] } },
      };
    case '$avg':
      return { accumulators: { [column]: { $avg: number } }, result: finite({ $toDouble: own }) };
    case '$sum': {
      const counter = `${column}Values`;
      const counted = { $cond: [{ $eq: [value, null] }, 0, 1] };
      const sum = { $cond: [{ $gt: [`$${counter}`, 0] }, own, null] };
      return {
        accumulators: { [column]: { $sum: number }, [counter]: { $sum: counted } },
        result: isExact(family) ? sum : finite(sum),
      };
    }
  }
}

function testOf(filter: FilterNode, resolve: FieldResolver): Document {
  return conditionExpression(conditionOf(filter, resolve));
}

/** Sums of 64-bit integers leave 64 bits. */
function isExact(family: StorageFamily): boolean {
  return family === 'decimal' || family === 'long';
}

/** No JSON number says what overflowed. */
function finite(value: Document): Document {
  return { $cond: [{ $in: [value, { $literal: [Infinity, -Infinity, NaN] }] }, null, value] };
}

/** Where the columns of the answer are kept, and as what. */
function outputResolver(
  { groups, computed }: AggregatePlan,
  resolve: FieldResolver,
  types: MongooseInstance['Types'],
): FieldResolver<OutputField> {
  const families = new Map<QueryField, StorageFamily>([
    ...groups.map(({ output, field }) => [output, resolve(field).family] as const),
    ...computed.map((value) => [value.output, familyOf(value, resolve)] as const),
  ]);
  return (output) => {
    const family = families.get(output);
    if (family === undefined) throw new TypeError(`The aggregate answers with no "${output.name}".`);
    return { path: output.column, family, codec: codecOf(family, types) };
  };
}

function familyOf(computed: ComputedValue, resolve: FieldResolver): StorageFamily {
  if (computed.function === '$count' || computed.function === '$count_distinct' || computed.function === '$avg') {
    return 'number';
  }
  const { family } = resolve(computed.field);
  return computed.function === '$sum' && isExact(family) ? 'decimal' : family;
}
