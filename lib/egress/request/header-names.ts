/** Headers that carry somebody's credential. Ours is set by `credentials` of the service; others never leave. */
const CREDENTIAL_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'cookie2',
  'x-api-key',
  'api-key',
  'apikey',
  'x-goog-api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-amz-security-token',
  'ocp-apim-subscription-key',
]);

/** Headers that frame a message or route it; a wrong one hangs or splits it. @see RFC 9110, 7.6.1 */
const FRAMING_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a caller's own tracing carries beside its parent, and a third party has no business with. */
const CONTEXT_HEADERS = new Set(['baggage', 'tracestate']);

export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
}

/** True for visible ASCII with single spaces or tabs inside: what every client and server agrees on. */
export function isHeaderValue(value: string): boolean {
  return /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

export function isFramingHeader(name: string): boolean {
  return FRAMING_HEADERS.has(name.toLowerCase());
}

/** The headers of a request without those that only we may set. */
export function withoutReservedHeaders(headers: Headers): Headers {
  const kept = new Headers();
  headers.forEach((value, name) => {
    if (!isCredentialHeader(name) && !isFramingHeader(name) && !CONTEXT_HEADERS.has(name)) kept.append(name, value);
  });
  return kept;
}
