export { ALIAS_PATTERN } from './aliases.js';
export { parseAggregateQuery } from './parse-aggregate-query.js';
export { parseListQuery } from './parse-list-query.js';
