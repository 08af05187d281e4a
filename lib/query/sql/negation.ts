import type { FilterNode } from '../ast.js';
import type { QueryField } from '../kinds/index.js';

/** A filter without `not` nodes: what was negated is a leaf, and says so. */
export type NormalFilter<Field extends QueryField = QueryField> =
  | { readonly type: 'and' | 'or'; readonly filters: readonly NormalFilter<Field>[] }
  | { readonly type: 'leaf'; readonly leaf: LeafNode<Field>; readonly isNegated: boolean };

export type LeafNode<Field extends QueryField = QueryField> = Exclude<
  FilterNode<Field>,
  { readonly type: 'and' | 'or' | 'not' }
>;

/**
 * Pushes every negation down to the leaves. SQL's `NOT` keeps unknown unknown; only a negated leaf can say that what is
 * null matches.
 */
export function normalFilter<Field extends QueryField>(
  node: FilterNode<Field>,
  isNegated = false,
): NormalFilter<Field> {
  switch (node.type) {
    case 'not':
      return normalFilter(node.filter, !isNegated);
    case 'and':
    case 'or': {
      if (node.filters.length === 0) throw new TypeError('A filter combines nothing.');
      const type = isNegated === (node.type === 'and') ? 'or' : 'and';
      return { type, filters: node.filters.map((filter) => normalFilter(filter, isNegated)) };
    }
    default:
      return { type: 'leaf', leaf: node, isNegated };
  }
}
