import type { Type } from '@nestjs/common';
import { narrowQueryPolicy, resolveQueryPolicy, type PolicyResolution } from './resolve-query-policy.js';
import { declaredQueryPolicy } from './query-policy.decorator.js';
import type { ResolvedQueryPolicy } from './resolved-query-policy.js';

/**
 * The policy of a read model as one controller method has it. Where the read model has no policy of its own, that of
 * the method is the declaration; otherwise it narrows, and widening is a fault: `query_policy_widens`.
 */
export function resolveMethodPolicy(
  readModel: Type,
  handler: object,
  resolution: PolicyResolution,
): ResolvedQueryPolicy {
  const options = declaredQueryPolicy(handler);
  if (options === undefined) return resolveQueryPolicy(readModel, resolution);
  if (declaredQueryPolicy(readModel) === undefined) return resolveQueryPolicy(readModel, resolution, options);
  const { policy, widened } = narrowQueryPolicy(resolveQueryPolicy(readModel, resolution), options, resolution);
  if (widened.length > 0) {
    const parameters = { where: resolution.where, readModel: readModel.name, what: widened.join('; ') };
    resolution.faults.add('query_policy_widens', parameters);
  }
  return policy;
}
