import type { QueryIssueCode } from '../query-error.js';
import { fieldNamed, type PolicyAxis, type ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import type { FilterScope } from './parse-filter.js';
import type { SortScope } from './parse-sorts.js';

/** Filters of rows: of a list, of an aggregate, of one computed value. */
export function filterScope(policy: ResolvedQueryPolicy): FilterScope {
  return {
    find: (name) => fieldNamed(policy.filterable, name),
    names: Object.keys(policy.filterable),
    unknownCode: unknownCode(policy, 'filterable', 'field_not_filterable'),
  };
}

export function sortScope(policy: ResolvedQueryPolicy): SortScope {
  return {
    find: (name) => fieldNamed(policy.sortable, name)?.field,
    names: Object.keys(policy.sortable),
    unknownCode: unknownCode(policy, 'sortable', 'field_not_sortable'),
  };
}

export function returnableCode(policy: ResolvedQueryPolicy): QueryIssueCode {
  return unknownCode(policy, 'returnable', 'field_not_returnable');
}

/**
 * One code for an axis, whatever the name: a field that is withheld and one that was invented must look the same. It
 * says "not on the read model" only where the axis withholds nothing.
 */
function unknownCode(policy: ResolvedQueryPolicy, axis: PolicyAxis, withheld: QueryIssueCode): QueryIssueCode {
  return policy.declaredAxes.includes(axis) ? withheld : 'field_not_on_read_model';
}
