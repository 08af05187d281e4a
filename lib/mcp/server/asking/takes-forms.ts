import { isPlainObject } from '../../../common/index.js';

/**
 * Whether a client said that it can put a form before its user. Clients older than the two modes say `elicitation: {}`.
 * @param capabilities of a client, as it sent them
 */
export function takesForms(capabilities: unknown): boolean {
  const elicitation = isPlainObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isPlainObject(elicitation)) return false;
  return elicitation['form'] !== undefined || elicitation['url'] === undefined;
}
