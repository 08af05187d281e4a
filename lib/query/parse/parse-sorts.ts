import { isPlainObject } from '../../common/index.js';
import { sortKey, type NullsPosition, type SortDirection, type SortKey } from '../ast.js';
import type { QueryField } from '../kinds/index.js';
import type { QueryIssueCode } from '../query-error.js';
import { pointerTo, type ParseContext } from './parse-context.js';
import { readClosedObject, readNamedEntries } from './read-object.js';

/** The names that a sort may use. */
export interface SortScope<Field extends QueryField = QueryField> {
  find(name: string): Field | undefined;
  readonly names: readonly string[];
  readonly unknownCode: QueryIssueCode;
  /** True for a name whose own definition was refused: what uses it is not reported again. */
  isRefused?(name: string): boolean;
}

const DIRECTIONS: readonly SortDirection[] = ['asc', 'desc'];
const NULLS: readonly NullsPosition[] = ['first', 'last'];

/** Parses `sorts`, in order of priority; empty where none were asked for. Refusals are reported. */
export function parseSorts<Field extends QueryField>(
  value: unknown,
  scope: SortScope<Field>,
  context: ParseContext,
): readonly SortKey<Field>[] {
  if (value === undefined) return [];
  const entries = readNamedEntries(value, 'sort_invalid', '/sorts', context) ?? [];
  return entries.flatMap(([name, order]) => {
    const pointer = pointerTo('/sorts', name);
    const field = scope.find(name);
    if (field !== undefined) return parseOrder(order, field, pointer, context) ?? [];
    if (!scope.isRefused?.(name)) context.refuse(scope.unknownCode, pointer, { field: name, allowed: scope.names });
    return [];
  });
}

/** The sorts of a plan, with those that make the order total. */
export function withTieBreakers<Field extends QueryField>(
  sorts: readonly SortKey<Field>[],
  tieBreakers: readonly Field[],
): readonly SortKey<Field>[] {
  const missing = tieBreakers.filter((field) => !sorts.some((sort) => sort.field.name === field.name));
  return Object.freeze([...sorts, ...missing.map((field) => sortKey(field, 'asc'))]);
}

function parseOrder<Field extends QueryField>(
  value: unknown,
  field: Field,
  pointer: string,
  context: ParseContext,
): SortKey<Field> | undefined {
  if (!isPlainObject(value)) {
    const direction = oneOf(DIRECTIONS, value);
    if (direction !== undefined) return sortKey(field, direction);
    return context.refuse('sort_invalid', pointer, { field: field.name, allowed: DIRECTIONS });
  }
  const object = readClosedObject(value, ['dir', 'nulls'], 'sort_invalid', pointer, context);
  const direction = oneOf(DIRECTIONS, object?.dir);
  const nulls = oneOf(NULLS, object?.nulls);
  if (direction === undefined) {
    return context.refuse('sort_invalid', `${pointer}/dir`, { field: field.name, allowed: DIRECTIONS });
  }
  if (object?.nulls !== undefined && nulls === undefined) {
    return context.refuse('sort_invalid', `${pointer}/nulls`, { field: field.name, allowed: NULLS });
  }
  return sortKey(field, direction, nulls);
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((each) => each === value);
}
