import type { ComparisonNode, FilterNode, ListNode, NullNode, PatternNode, QueryField } from '../../query/index.js';
import { likeExpression } from './like-expression.js';
import type { FieldResolver, StoredField } from './stored-field.js';

/**
 * A filter in terms of the store: paths and BSON values. It is written twice, as a filter for `$match`, which indexes
 * serve, and as an expression for the filters of single computed values.
 */
export type Condition =
  | { readonly type: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly type: 'not'; readonly of: Condition }
  | MembershipCondition
  | OrderCondition
  | MatchCondition;

/** The value is one of those listed, null standing for absent too; or none of them. */
export interface MembershipCondition {
  readonly type: 'in';
  readonly path: string;
  readonly values: readonly unknown[];
  readonly isNegated: boolean;
}

/** Never true of null. */
export interface OrderCondition {
  readonly type: 'order';
  readonly path: string;
  /** True where the value is compared by its text. */
  readonly isText: boolean;
  readonly operator: '$gt' | '$gte' | '$lt' | '$lte';
  readonly value: unknown;
}

/** Never true of null. */
export interface MatchCondition {
  readonly type: 'match';
  readonly path: string;
  /** True where the value must be turned into text. */
  readonly isText: boolean;
  /** Anchored, and of linear time: made here, never a caller's. */
  readonly expression: string;
}

/** @throws TypeError where a filter combines nothing, or asks for what the store has not */
export function conditionOf<Field extends QueryField>(
  filter: FilterNode<Field>,
  resolve: FieldResolver<Field>,
): Condition {
  switch (filter.type) {
    case 'and':
      return combined('all', filter.filters, resolve);
    case 'or':
      return combined('any', filter.filters, resolve);
    case 'not':
      return { type: 'not', of: conditionOf(filter.filter, resolve) };
    case 'null':
      return isNull(resolve(filter.field), filter);
    case 'list':
      return membership(resolve(filter.field), filter);
    case 'pattern':
      return patterns(resolve(filter.field), filter);
    case 'comparison':
      return comparison(resolve(filter.field), filter);
  }
}

function combined<Field extends QueryField>(
  type: 'all' | 'any',
  filters: readonly FilterNode<Field>[],
  resolve: FieldResolver<Field>,
): Condition {
  if (filters.length === 0) throw new TypeError('A filter combines nothing.');
  return { type, of: filters.map((each) => conditionOf(each, resolve)) };
}

function isNull({ path }: StoredField, { isNull: is }: Pick<NullNode, 'isNull'>): Condition {
  return { type: 'in', path, values: [null], isNegated: !is };
}

function membership({ path, codec }: StoredField, { operator, operands }: ListNode): Condition {
  const values = operands.map((operand) => codec.exact(operand)).filter((value) => value !== undefined);
  return { type: 'in', path, values, isNegated: operator === '$nin' };
}

function comparison(stored: StoredField, { field, operator, operand }: ComparisonNode): Condition {
  if (operator === '$eq' || operator === '$neq') {
    const list = operator === '$eq' ? '$in' : '$nin';
    return membership(stored, { type: 'list', field, operator: list, operands: [operand] });
  }
  const { path, family, codec } = stored;
  const value = codec.exact(operand);
  if (value !== undefined) return { type: 'order', path, isText: false, operator, value };
  if (family === 'objectId') return { type: 'order', path, isText: true, operator, value: operand };
  const below = codec.below?.(operand);
  const isGreater = operator === '$gt' || operator === '$gte';
  if (below !== undefined) {
    return { type: 'order', path, isText: false, operator: isGreater ? '$gt' : '$lte', value: below };
  }
  // Nothing is stored below the operand; or it is no UUID at all, which only a forged cursor holds.
  return isGreater && codec.below ? isNull(stored, { isNull: false }) : never(path);
}

function patterns({ path, family }: StoredField, { operator, patterns: list }: PatternNode): Condition {
  if (operator === '$regex') throw new TypeError('MongoDB matches by backtracking: $regex is not offered.');
  const isText = family === 'objectId';
  const of = list.map((pattern): Condition => {
    const expression = likeExpression(pattern, operator === '$ilike');
    return { type: 'match', path, isText, expression };
  });
  return of.length === 0 ? never(path) : { type: 'any', of };
}

function never(path: string): Condition {
  return { type: 'in', path, values: [], isNegated: false };
}
