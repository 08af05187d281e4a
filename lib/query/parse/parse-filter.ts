import { isPlainObject } from '../../common/index.js';
import type { FilterNode } from '../ast.js';
import { FILTER_OPERATORS, type FilterOperator, type QueryField } from '../kinds/index.js';
import type { QueryIssueCode } from '../query-error.js';
import { pointerTo, type ParseContext } from './parse-context.js';
import { parseCondition } from './parse-operand.js';
import { readClosedObject, readNamedEntries } from './read-object.js';

/** The names that a filter may use, each with its operators. */
export interface FilterScope<Field extends QueryField = QueryField> {
  find(name: string): { readonly field: Field; readonly operators: readonly FilterOperator[] } | undefined;
  /** Told to a caller who uses another name. */
  readonly names: readonly string[];
  readonly unknownCode: QueryIssueCode;
  /** True for a name whose own definition was refused: what uses it is not reported again. */
  isRefused?(name: string): boolean;
}

const COMBINATORS = ['$values', '$and', '$or', '$not'] as const;

/** Parses one filter object and checks it against a scope; undefined where it was refused. */
export function parseFilter<Field extends QueryField>(
  value: unknown,
  scope: FilterScope<Field>,
  pointer: string,
  context: ParseContext,
  depth = 1,
): FilterNode<Field> | undefined {
  const { maxDepth } = context.limits;
  if (depth > maxDepth) return context.refuse('filter_depth_exceeded', pointer, { allowed: [maxDepth] });
  const object = readClosedObject(value, COMBINATORS, 'filter_shape_invalid', pointer, context);
  if (object === undefined) return undefined;
  const used = COMBINATORS.filter((combinator) => combinator in object);
  const [combinator] = used;
  // An unknown key in the place of the combinator is reported already.
  if (combinator === undefined && Object.keys(value as object).length > 0) return undefined;
  if (combinator === undefined || used.length > 1) {
    return context.refuse('filter_shape_invalid', pointer, { allowed: [`one of ${COMBINATORS.join(', ')}`] });
  }
  const inner = pointerTo(pointer, combinator);
  if (combinator === '$values') return parseValues(object.$values, scope, inner, context);
  if (combinator === '$not') return negated(parseFilter(object.$not, scope, inner, context, depth + 1));
  const type = combinator === '$and' ? 'and' : 'or';
  return joined(type, parseEach(object[combinator], scope, inner, context, depth));
}

function parseEach<Field extends QueryField>(
  value: unknown,
  scope: FilterScope<Field>,
  pointer: string,
  context: ParseContext,
  depth: number,
): readonly (FilterNode<Field> | undefined)[] | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    return context.refuse('filter_shape_invalid', pointer, { allowed: ['a list of at least one filter'] });
  }
  return value.map((each, index) => parseFilter(each, scope, pointerTo(pointer, index), context, depth + 1));
}

function parseValues<Field extends QueryField>(
  value: unknown,
  scope: FilterScope<Field>,
  pointer: string,
  context: ParseContext,
): FilterNode<Field> | undefined {
  const entries = readNamedEntries(value, 'filter_shape_invalid', pointer, context);
  if (entries?.length === 0) {
    return context.refuse('filter_shape_invalid', pointer, { allowed: ['at least one field', ...scope.names] });
  }
  return joined(
    'and',
    entries?.flatMap(([name, condition]) => parseField(name, condition, scope, pointerTo(pointer, name), context)),
  );
}

function parseField<Field extends QueryField>(
  name: string,
  value: unknown,
  scope: FilterScope<Field>,
  pointer: string,
  context: ParseContext,
): readonly (FilterNode<Field> | undefined)[] {
  const found = scope.find(name);
  if (found === undefined) {
    if (!context.countClauses(1, pointer) || scope.isRefused?.(name)) return [undefined];
    return [context.refuse(scope.unknownCode, pointer, { field: name, allowed: scope.names })];
  }
  if (!isPlainObject(value)) {
    const operator = value === null ? '$null' : Array.isArray(value) ? '$in' : '$eq';
    return [parseOperator(operator, value ?? true, found, pointer, context)];
  }
  const conditions = Object.keys(value);
  if (conditions.length === 0) {
    const facts = { field: name, allowed: ['at least one operator', ...found.operators] };
    return [context.refuse('filter_shape_invalid', pointer, facts)];
  }
  return conditions.map((key) => parseOperator(key, value[key], found, pointerTo(pointer, key), context));
}

function parseOperator<Field extends QueryField>(
  operator: string,
  operand: unknown,
  { field, operators }: { readonly field: Field; readonly operators: readonly FilterOperator[] },
  pointer: string,
  context: ParseContext,
): FilterNode<Field> | undefined {
  if (!context.countClauses(1, pointer)) return undefined;
  const allowed = operators.find((each) => each === operator);
  if (allowed !== undefined) return parseCondition(operand, { field, operator: allowed, pointer, context });
  const isKnown = FILTER_OPERATORS.some((each) => each === operator);
  const code = isKnown ? 'filter_operator_not_allowed' : 'filter_operator_unknown';
  return context.refuse(code, pointer, { field: field.name, operator, allowed: operators });
}

function negated<Field extends QueryField>(filter: FilterNode<Field> | undefined): FilterNode<Field> | undefined {
  return filter && Object.freeze({ type: 'not', filter });
}

/** Undefined where any part was refused: what is left of a filter would match more than was asked for. */
function joined<Field extends QueryField>(
  type: 'and' | 'or',
  filters: readonly (FilterNode<Field> | undefined)[] | undefined,
): FilterNode<Field> | undefined {
  if (!filters?.every((filter) => filter !== undefined)) return undefined;
  return filters.length === 1 ? filters[0] : Object.freeze({ type, filters: Object.freeze(filters) });
}
