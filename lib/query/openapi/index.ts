export { describeQueryToOpenApi } from './describe-query-to-openapi.js';
