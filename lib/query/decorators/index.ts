export { carryQueryPolicy } from './carried-policy.js';
export { checkQueryPolicies } from './check-query-policies.js';
export {
  AggregateQueryBody,
  ListQueryBody,
  type ListQueryBodyOptions,
  type QueryBodyOptions,
} from './query-body.decorator.js';
export { QueryInput, type QueryDescription, type QueryForm } from './query-input.js';
