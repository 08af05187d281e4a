import { isIdempotentMethod } from '../declaration/idempotent-methods.js';
import { EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import { isHeaderName } from '../request/header-names.js';
import type { DraftRequest, EgressBody } from '../request/outbound-request.js';

type Input = string | URL | Request;

const REDIRECTS = { follow: 'service', manual: 'manual', error: 'refuse' } as const;

/** What the arguments of a fetch ask for; an address that is text stays text, so that it is checked before it is parsed. */
export function draftOf(
  call: EgressCallName,
  settings: EgressServiceSettings,
  input: Input,
  init: RequestInit = {},
): DraftRequest {
  const request = input instanceof Request ? input : undefined;
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
  if (!isHeaderName(method) || ['CONNECT', 'TRACE', 'TRACK'].includes(method)) throw refused(call, 'method');
  const headers = headersOf(call, settings, init.headers ?? request?.headers);
  const { idempotencyKeyHeader } = settings;
  return {
    call,
    operation: undefined,
    method,
    address: request?.url ?? String(input),
    headers,
    body: bodyOf(call, method, init.body ?? (init.body === undefined ? request?.body : null)),
    wireArguments: undefined,
    isRepeatable:
      isIdempotentMethod(method) || (idempotencyKeyHeader !== undefined && headers.has(idempotencyKeyHeader)),
    redirect: REDIRECTS[init.redirect ?? request?.redirect ?? 'follow'],
  };
}

/** The caller's signal: its own, or that of the request that it hands in. */
export function signalOf(input: Input, init: RequestInit = {}): AbortSignal | undefined {
  return init.signal ?? (input instanceof Request ? input.signal : undefined);
}

/** The constant headers of the service stand where the SDK sends none of that name: it knows its version better. */
function headersOf(call: EgressCallName, settings: EgressServiceSettings, given: RequestInit['headers']): Headers {
  const headers = new Headers(settings.headers);
  try {
    new Headers(given).forEach((value, name) => headers.set(name, value));
  } catch {
    // What the platform says of a header quotes its value.
    throw refused(call, 'headers');
  }
  return headers;
}

function bodyOf(call: EgressCallName, method: string, body: RequestInit['body']): EgressBody | undefined {
  if (body === undefined || body === null) return undefined;
  if (method === 'GET' || method === 'HEAD') throw refused(call, 'body');
  return body;
}

function refused(call: EgressCallName, property: string): EgressError {
  const details = { faults: [{ property, constraints: ['hasPlace'] }] };
  return new EgressError('egress_arguments_invalid', call, { details });
}
