import { isPlainObject } from '../../common/index.js';
import type { McpAuthorizationOptions } from './authorization.options.js';
import { metadataUrl } from './protected-resource.js';

/** What a caller lacks: a token, or scopes. */
export type Challenge = { readonly status: 401 } | { readonly status: 403; readonly scopes: readonly string[] };

// What may stand in a scope; nothing else reaches a header. @see RFC 6749, section 3.3
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The value of `WWW-Authenticate`. @see RFC 6750, section 3 and RFC 9728, section 5.1 */
export function challengeHeader(challenge: Challenge, options: McpAuthorizationOptions | undefined): string {
  const scopes = challenge.status === 403 ? challenge.scopes : (options?.scopes ?? []);
  const parameters = [
    challenge.status === 403 ? 'error="insufficient_scope"' : undefined,
    scopes.length === 0 ? undefined : `scope="${scopes.join(' ')}"`,
    options === undefined ? undefined : `resource_metadata="${metadataUrl(options)}"`,
  ].filter((parameter) => parameter !== undefined);
  return ['Bearer', parameters.join(', ')].join(' ').trim();
}

/**
 * The scopes that an application says a caller lacks: `{ code: 'insufficient_scope', details: { scopes } }`. What can be none is
 * left out. Undefined where it says nothing of the kind.
 */
export function lackingScopes(refusal: unknown): readonly string[] | undefined {
  if (!isPlainObject(refusal) || refusal['code'] !== 'insufficient_scope') return undefined;
  const { details } = refusal;
  const value = isPlainObject(details) ? details['scopes'] : details;
  const listed: readonly unknown[] = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return listed.filter(isScope);
}

export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value);
}
