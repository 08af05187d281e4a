import type { AggregatePlan, FilterNode, ListPlan } from './ast.js';
import type { Capabilities } from './executor.js';
import type { FilterOperator, MeasureFunction, QueryField } from './kinds/index.js';
import { QueryError, type QueryIssue } from './query-error.js';

/**
 * Refuses a plan that a store cannot run. Nothing of the kind is advertised where the policy was narrowed to the store's
 * capabilities; this is for a plan that was made without.
 * @throws QueryError `query_unsupported_by_store`
 */
export function refuseUnsupported(plan: ListPlan | AggregatePlan, capabilities: Capabilities): void {
  const filters =
    plan.form === 'list' ? [plan.filter] : [plan.filter, plan.having, ...plan.computed.map((c) => c.filter)];
  const issues = [
    ...filters.flatMap((filter) => (filter === undefined ? [] : operatorIssues(filter, capabilities))),
    ...(plan.form === 'list' ? [] : plan.computed.flatMap((each) => functionIssues(each, capabilities))),
  ];
  const [first, ...rest] = issues;
  if (first) throw new QueryError([first, ...rest]);
}

/** The functions that a store can run over fields of a kind. */
export function functionsOver({ kind }: QueryField, capabilities: Capabilities): readonly MeasureFunction[] {
  const byKind = capabilities.functionsByKind?.[kind] ?? capabilities.functions;
  return byKind.filter((each) => capabilities.functions.includes(each));
}

function operatorIssues(filter: FilterNode, capabilities: Capabilities): readonly QueryIssue[] {
  if (filter.type === 'not') return operatorIssues(filter.filter, capabilities);
  if (filter.type === 'and' || filter.type === 'or') {
    return filter.filters.flatMap((each) => operatorIssues(each, capabilities));
  }
  const operator: FilterOperator = filter.type === 'null' ? '$null' : filter.operator;
  return capabilities.operators.includes(operator) ? [] : [issueOf(filter.field, operator, capabilities.operators)];
}

function functionIssues(
  computed: AggregatePlan['computed'][number],
  capabilities: Capabilities,
): readonly QueryIssue[] {
  if (computed.function === '$count') return [];
  const allowed = functionsOver(computed.field, capabilities);
  return allowed.includes(computed.function) ? [] : [issueOf(computed.field, computed.function, allowed)];
}

function issueOf(field: QueryField, operator: string, allowed: readonly string[]): QueryIssue {
  return { code: 'query_unsupported_by_store', pointer: '', field: field.name, operator, allowed };
}
