import type { FilterNode, SortKey } from '../ast.js';
import type { QueryField } from '../kinds/index.js';
import type { KeyValue } from './sort-key-values.js';

/**
 * Matches the rows that come after a place in an order: those beyond it in the first key, or equal there and beyond it in
 * the next, and so on. Nulls stand where the key says.
 * @param values of each sort key, at that place
 */
export function seekFilter(sorts: readonly SortKey[], values: readonly KeyValue[]): FilterNode {
  const [first, ...rest] = sorts;
  if (first === undefined) throw new TypeError('A list without an order has no places.');
  const value = values[0] ?? null;
  const further = rest.length === 0 ? undefined : both(isEqual(first.field, value), seekFilter(rest, values.slice(1)));
  const filters = [...beyond(first, value), ...(further === undefined ? [] : [further])];
  return either(filters) ?? nothing(first.field);
}

/** Alternatives; none where nothing comes after a null that is last. */
function beyond({ field, direction, nulls }: SortKey, value: KeyValue): readonly FilterNode[] {
  if (value === null) return nulls === 'first' ? [isNull(field, false)] : [];
  const operator = direction === 'asc' ? '$gt' : '$lt';
  const further: FilterNode = Object.freeze({ type: 'comparison', field, operator, operand: value });
  return nulls === 'last' ? [further, isNull(field, true)] : [further];
}

function isEqual(field: QueryField, value: KeyValue): FilterNode {
  return value === null
    ? isNull(field, true)
    : Object.freeze({ type: 'comparison', field, operator: '$eq', operand: value });
}

function isNull(field: QueryField, is: boolean): FilterNode {
  return Object.freeze({ type: 'null', field, isNull: is });
}

function nothing(field: QueryField): FilterNode {
  return Object.freeze({ type: 'list', field, operator: '$in', operands: Object.freeze([]) });
}

function both(left: FilterNode, right: FilterNode): FilterNode {
  return Object.freeze({ type: 'and', filters: Object.freeze([left, right]) });
}

function either(filters: readonly FilterNode[]): FilterNode | undefined {
  return filters.length > 1 ? Object.freeze({ type: 'or', filters: Object.freeze(filters) }) : filters[0];
}
