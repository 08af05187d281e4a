import { isPlainObject } from '../../common/index.js';
import type { FilterNode, Measure, OutputField, RowCount } from '../ast.js';
import {
  AGGREGATE_FUNCTIONS,
  MEASURE_FUNCTIONS,
  type AggregateFunction,
  type MeasureFunction,
  type QueryField,
} from '../kinds/index.js';
import { fieldNamed, type ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { pointerTo, type ParseContext } from './parse-context.js';
import { parseFilter } from './parse-filter.js';
import { readClosedObject } from './read-object.js';
import { filterScope } from './scopes.js';

/** A computed value that still lacks its name, and the kind of its result. */
export interface ParsedComputed {
  readonly value: Omit<RowCount, 'output'> | Omit<Measure, 'output'>;
  readonly result: Pick<OutputField, 'kind' | 'enumValues'>;
}

/** Parses `{ "$sum": "price" }`, `{ "$count": null }`; undefined where it was refused. */
export function parseComputed(
  value: unknown,
  policy: ResolvedQueryPolicy,
  pointer: string,
  context: ParseContext,
): ParsedComputed | undefined {
  if (!context.countClauses(1, pointer)) return undefined;
  const keys = isPlainObject(value) ? Object.keys(value) : [];
  const [key] = keys;
  if (!isPlainObject(value) || key === undefined || keys.length > 1) {
    return context.refuse('aggregate_shape_invalid', pointer, { allowed: ['one function', ...AGGREGATE_FUNCTIONS] });
  }
  const inner = pointerTo(pointer, key);
  if (key === '$count') return parseCount(value[key], policy, inner, context);
  const measure = MEASURE_FUNCTIONS.find((each) => each === key);
  const usable = usableFunctions(value[key], policy);
  if (measure !== undefined && usable.all.includes(measure)) {
    return parseMeasure(measure, value[key], policy, inner, context);
  }
  return context.refuse('aggregate_function_unknown', inner, { operator: key, allowed: [...usable.here, '$count'] });
}

/** The functions that some field has, and of these the ones that the named field has, if it has some. */
function usableFunctions(operand: unknown, policy: ResolvedQueryPolicy) {
  const name = isPlainObject(operand) ? operand['field'] : operand;
  const field = typeof name === 'string' ? fieldNamed(policy.aggregatable, name) : undefined;
  const fields = Object.values(policy.aggregatable);
  const all = MEASURE_FUNCTIONS.filter((each) => fields.some(({ functions }) => functions.includes(each)));
  return { all, here: field === undefined || field.functions.length === 0 ? all : field.functions };
}

/** The kind of what a function over a field answers with. */
export function resultOf(name: AggregateFunction, field?: QueryField): ParsedComputed['result'] {
  if (field === undefined || name === '$count' || name === '$count_distinct') return { kind: 'int', enumValues: [] };
  if (name === '$avg') return { kind: 'number', enumValues: [] };
  // A sum of integers may leave the range in which a number holds every integer.
  if (name === '$sum' && field.kind === 'int') return { kind: 'number', enumValues: [] };
  return { kind: field.kind, enumValues: field.enumValues };
}

function parseCount(
  value: unknown,
  policy: ResolvedQueryPolicy,
  pointer: string,
  context: ParseContext,
): ParsedComputed | undefined {
  const result = resultOf('$count');
  if (value === null) return { value: { function: '$count' }, result };
  const object = readClosedObject(value, ['filter'], 'aggregate_shape_invalid', pointer, context);
  if (object === undefined) return undefined;
  return { value: { function: '$count', ...metricFilter(object.filter, policy, pointer, context) }, result };
}

function parseMeasure(
  measure: MeasureFunction,
  value: unknown,
  policy: ResolvedQueryPolicy,
  pointer: string,
  context: ParseContext,
): ParsedComputed | undefined {
  const isShort = typeof value === 'string';
  const object = isShort
    ? { field: value, filter: undefined }
    : readClosedObject(value, ['field', 'filter'], 'aggregate_shape_invalid', pointer, context);
  if (object === undefined) return undefined;
  const filter = metricFilter(object.filter, policy, pointer, context);
  const field = measuredField(measure, object.field, policy, isShort ? pointer : `${pointer}/field`, context);
  return field && { value: { function: measure, field, ...filter }, result: resultOf(measure, field) };
}

function measuredField(
  measure: MeasureFunction,
  name: unknown,
  policy: ResolvedQueryPolicy,
  pointer: string,
  context: ParseContext,
): QueryField | undefined {
  const isName = typeof name === 'string';
  const found = isName ? fieldNamed(policy.aggregatable, name) : undefined;
  if (found?.functions.includes(measure)) return found.field;
  const usable = Object.values(policy.aggregatable).filter((each) => each.functions.includes(measure));
  return context.refuse('field_not_aggregatable', pointer, {
    ...(isName && { field: name }),
    operator: measure,
    allowed: usable.map((each) => each.field.name),
  });
}

function metricFilter(
  value: unknown,
  policy: ResolvedQueryPolicy,
  pointer: string,
  context: ParseContext,
): { readonly filter?: FilterNode } {
  if (value === undefined) return {};
  const filter = parseFilter(value, filterScope(policy), `${pointer}/filter`, context);
  return filter === undefined ? {} : { filter };
}
