export type {
  AggregatePlan,
  AggregateQuery,
  AllOfNode,
  AnyOfNode,
  ComparisonNode,
  ComputedValue,
  CursorPaging,
  FieldName,
  FilterNode,
  GroupKey,
  ListNode,
  ListPlan,
  ListQuery,
  Measure,
  NotNode,
  NullNode,
  NullsPosition,
  OffsetPaging,
  OutputField,
  Paging,
  PatternNode,
  RowCount,
  SortDirection,
  SortKey,
} from './ast.js';
export { QueryCursorError, type CursorSecret } from './cursor/index.js';
export {
  AggregateQueryBody,
  ListQueryBody,
  QueryInput,
  carryQueryPolicy,
  checkQueryPolicies,
  type ListQueryBodyOptions,
  type QueryBodyOptions,
  type QueryDescription,
  type QueryForm,
} from './decorators/index.js';
export { aggregateQuerySchema, describeQueryPolicy, listQuerySchema } from './describe/index.js';
export type { Capabilities, CountedListResult, ListResult, QueryExecutor } from './executor.js';
export type {
  AggregateFunction,
  ComparisonOperator,
  EnumValue,
  FieldKind,
  FilterOperator,
  ListOperator,
  MeasureFunction,
  Operand,
  PatternOperator,
  QueryField,
  ZoneOffset,
} from './kinds/index.js';
export { InMemoryQueryExecutor } from './memory/index.js';
export { toCursorPage, toPage, type CursorPage, type Page } from './page.js';
export { readingOf, resultOf, type ListReading } from './reading.js';
export { parseAggregateQuery, parseListQuery, type ListQueryOptions } from './parse/index.js';
export {
  QueryPolicy,
  resolveQueryPolicy,
  type AggregatableField,
  type Aggregation,
  type FieldTable,
  type FilterableField,
  type NarrowedQueryPolicy,
  type PolicyAxis,
  type PolicyResolution,
  type QueryLimits,
  type QueryLimitsOptions,
  type QueryPolicyAxes,
  type QueryPolicyDecorator,
  type QueryPolicyOptions,
  type ResolvedQueryPolicy,
  type SortableField,
} from './policy/index.js';
export { QueryError, type QueryIssue, type QueryIssueCode } from './query-error.js';
export { QueryResultError } from './returnable/index.js';
