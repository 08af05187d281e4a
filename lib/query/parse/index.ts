export { ALIAS_PATTERN } from './aliases.js';
export { AGGREGATE_QUERY_KEYS, parseAggregateQuery } from './parse-aggregate-query.js';
export { LIST_QUERY_KEYS, parseListQuery, type ListQueryOptions } from './parse-list-query.js';
