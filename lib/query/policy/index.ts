export { QueryPolicy, type QueryPolicyDecorator } from './query-policy.decorator.js';
export type {
  Aggregation,
  QueryLimits,
  QueryLimitsOptions,
  QueryPolicyAxes,
  QueryPolicyOptions,
} from './query-policy.options.js';
export { defaultListSize } from './query-policy.options.js';
export { resolveMethodPolicy } from './method-query-policy.js';
export { narrowToCapabilities } from './narrow-to-capabilities.js';
export {
  narrowQueryPolicy,
  resolveQueryPolicy,
  type NarrowedQueryPolicy,
  type PolicyResolution,
} from './resolve-query-policy.js';
export {
  type AggregatableField,
  type FieldTable,
  type FilterableField,
  type PolicyAxis,
  type ResolvedQueryPolicy,
  type SortableField,
} from './resolved-query-policy.js';
