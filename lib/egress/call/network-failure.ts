import { callLabel, EgressError, type EgressCallName } from '../egress-error.js';

/** What a connection fails with when it is the certificate or the peer's protocol: trying again changes nothing. */
const PERMANENT = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HPE_|UND_ERR_INVALID_ARG|EPROTO)/;
/** What a request fails with before a byte of it left. */
const UNCONNECTED = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const NEVER_SENT = new WeakSet<object>();
const REFUSED_ADDRESS = 'EGRESS_ADDRESS_REFUSED';
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/**
 * The error for a request that got no answer. Only the system's code is taken over: what fetch says may quote a header.
 */
export function networkFailure(call: EgressCallName, error: unknown): EgressError {
  const code = systemCodeOf(error);
  const what = code === undefined ? 'the connection failed' : `the connection failed (${code})`;
  if (code === REFUSED_ADDRESS) return new EgressError('egress_address_refused', call);
  if (code !== undefined && TIMEOUTS.has(code)) {
    return new EgressError('egress_timeout', call, { parameters: { what }, message: `${callLabel(call)}: ${what}.` });
  }
  const retryable = code === undefined || !PERMANENT.test(code);
  const failure = new EgressError('egress_unavailable', call, { parameters: { what }, retryable });
  if (code !== undefined && UNCONNECTED.has(code)) NEVER_SENT.add(failure);
  return failure;
}

/** Whether a network failure came before anything was sent, so that the upstream knows nothing of the request. */
export function wasNeverSent(failure: EgressError): boolean {
  return NEVER_SENT.has(failure);
}

/** The error for a reply that ended before it was complete. */
export function interruption(call: EgressCallName, error: unknown): EgressError {
  const code = systemCodeOf(error);
  const what = code === undefined ? 'the upstream closed it' : `the upstream closed it (${code})`;
  return new EgressError('egress_stream_interrupted', call, { parameters: { what } });
}

/** `ECONNREFUSED` and the like: fetch wraps the system's error, and both addresses of a host in an AggregateError. */
function systemCodeOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
    const errors: unknown = Reflect.get(current, 'errors');
    current = Reflect.get(current, 'cause') ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}
