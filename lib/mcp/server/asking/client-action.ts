import { isPlainObject } from '../../../common/index.js';
import type { ClientAnswer } from '../exchange.js';

/** What somebody said to a question. Only what is plainly a yes or a no is one. @param result as a client sent it */
export function clientAction(result: unknown): ClientAnswer['action'] {
  const action = isPlainObject(result) ? result['action'] : undefined;
  return action === 'accept' || action === 'decline' ? action : 'none';
}
