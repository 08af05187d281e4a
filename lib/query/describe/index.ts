export { aggregateQuerySchema } from './aggregate-query-schema.js';
export { describeQueryPolicy } from './describe-query-policy.js';
export { listQuerySchema } from './list-query-schema.js';
