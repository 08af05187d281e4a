import type { ResolvedQueryPolicy } from '../policy/index.js';

/** By Node request: what holds for it is nobody else's, in this application or another. */
const CARRIED = new WeakMap<object, ResolvedQueryPolicy>();

/**
 * Lets a request be bound under a narrower policy than its method has: that of the palette it was made through.
 * @param rawRequest the Node request, as `rawRequestOf` yields it
 * @param policy made by `QueryInput.describeFor` of the same method, so that what was advertised is what is enforced
 */
export function carryQueryPolicy(rawRequest: object, policy: ResolvedQueryPolicy): void {
  CARRIED.set(rawRequest, policy);
}

export function carriedQueryPolicy(rawRequest: object): ResolvedQueryPolicy | undefined {
  return CARRIED.get(rawRequest);
}
