import { createHash } from 'node:crypto';
import type { FilterNode, SortKey } from '../ast.js';
import type { ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';

/**
 * What a cursor holds for, as a hash: the policy, the filter and the sorts. The same question asked with its conditions
 * in another order is the same question.
 */
export function cursorBinding(
  policy: ResolvedQueryPolicy,
  filter: FilterNode | undefined,
  sorts: readonly SortKey[],
): Buffer {
  const order = sorts.map(({ field, direction, nulls }) => [field.name, direction, nulls]);
  const parts = ['cursor 1', policyText(policy), filter === undefined ? '' : filterText(filter), order];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** By policy: it is frozen, and asked again for each request. */
const POLICY_TEXTS = new WeakMap<ResolvedQueryPolicy, string>();

function policyText(policy: ResolvedQueryPolicy): string {
  const known = POLICY_TEXTS.get(policy);
  if (known !== undefined) return known;
  const { readModel, readFields, fields, filterable, sortable, returnable, tieBreaker } = policy;
  const text = JSON.stringify([
    readModel.name,
    readFields,
    Object.values(fields).map(({ name, kind }) => [name, kind]),
    Object.values(filterable).map(({ field, operators }) => [field.name, operators]),
    Object.keys(sortable),
    returnable ?? null,
    tieBreaker?.name ?? null,
  ]);
  POLICY_TEXTS.set(policy, text);
  return text;
}

function filterText(filter: FilterNode): string {
  switch (filter.type) {
    case 'and':
    case 'or':
      return textOf(filter.type, filter.filters.map(filterText).sort());
    case 'not':
      return textOf('not', filterText(filter.filter));
    case 'null':
      return textOf(filter.field.name, 'null', filter.isNull);
    case 'comparison':
      return textOf(filter.field.name, filter.operator, filter.operand);
    case 'list':
      return textOf(filter.field.name, filter.operator, filter.operands.map((each) => textOf(each)).sort());
    case 'pattern':
      return textOf(filter.field.name, filter.operator, [...filter.patterns].sort());
  }
}

function textOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
