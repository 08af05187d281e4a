import type { Capabilities } from '../executor.js';
import { functionsOver } from '../refuse-unsupported.js';
import { fieldTable, type ResolvedQueryPolicy } from './resolved-query-policy.js';

/** What a store can run of a policy: nothing else is advertised, and nothing else accepted. */
export function narrowToCapabilities(policy: ResolvedQueryPolicy, capabilities: Capabilities): ResolvedQueryPolicy {
  const filterable = Object.values(policy.filterable).map(({ field, operators }) => ({
    field,
    operators: Object.freeze(operators.filter((operator) => capabilities.operators.includes(operator))),
  }));
  const aggregatable = Object.values(policy.aggregatable).map(({ field, isGroup, functions }) => ({
    field,
    isGroup,
    functions: Object.freeze(functions.filter((each) => functionsOver(field, capabilities).includes(each))),
  }));
  return Object.freeze({
    ...policy,
    filterable: fieldTable(
      filterable.filter(({ operators }) => operators.length > 0).map((each) => [each.field.name, each]),
    ),
    aggregatable: fieldTable(
      aggregatable
        .filter(({ isGroup, functions }) => isGroup || functions.length > 0)
        .map((each) => [each.field.name, each]),
    ),
  });
}
