import { randomUUID } from 'node:crypto';
import { isPlainObject } from '../../common/index.js';
import { takesForms } from '../server/asking/takes-forms.js';

/** The header that carries the id. */
export const SESSION = 'mcp-session-id';

const FORMS = '-forms';

/**
 * The id of a 2025-era client's session. Nothing is kept of a session here: whether its client can ask its user something is
 * in the id itself. A client that lies about it is asked what it cannot answer, and that is all.
 * @param initialize the message that opened it
 */
export function newSessionId(initialize: unknown): string {
  const params = isPlainObject(initialize) ? initialize['params'] : undefined;
  const capabilities = isPlainObject(params) ? params['capabilities'] : undefined;
  return `${randomUUID()}${takesForms(capabilities) ? FORMS : ''}`;
}

export function sessionTakesForms(session: string): boolean {
  return session.endsWith(FORMS);
}
