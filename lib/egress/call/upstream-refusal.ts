import { foreignText, isPlainObject, ownValue } from '../../common/index.js';
import { EgressError, type EgressCallName, type EgressErrorCode } from '../egress-error.js';
import { readBeginning, type ResponseBody } from './response-body.js';
import { retryAfterMs } from './retry-after.js';

/** How much of an error body is looked at. */
export const MAX_ERROR_BYTES = 4_096;
const MAX_TEXT_LENGTH = 300;
/** Where APIs put what went wrong. Nothing else of an error body is looked at. */
const DETAIL_PATHS = ['error.message', 'error.type', 'error.code', 'message'] as const;
/** Upstreams quote a refused key, or a part of it, in their message: of these answers only the classification is kept. */
const CLASSIFYING_PATHS = ['error.type', 'error.code'] as const;
/** How providers say that there is no money left: waiting does not help, whatever the status promises. */
const EXHAUSTED = /^(insufficient_quota|billing_\w+|credit_balance_\w+|insufficient_(balance|credits?|funds))$/;
const MODEL_CAN_ACT = new Set([400, 404, 409, 413, 422]);
const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

/** The error for an answer whose status is not a success. Reads at most 4 KiB of it and closes the connection. */
export async function upstreamRefusal(
  body: ResponseBody,
  call: EgressCallName,
  secret: string | undefined,
): Promise<EgressError> {
  const { status, headers } = body.response;
  const code = refusalCode(status);
  const paths = code === 'egress_credentials_rejected' ? CLASSIFYING_PATHS : DETAIL_PATHS;
  const upstream = upstreamDetails(await beginning(body, call), paths, secret);
  const retryable = isRetryableStatus(status) && !isExhausted(upstream);
  const pauseMs = retryable ? retryAfterMs(headers) : undefined;
  return new EgressError(code, call, {
    parameters: { status, what: `it answered with status ${status}` },
    upstreamStatus: status,
    retryable,
    details: {
      status,
      ...(Object.keys(upstream).length > 0 && { upstream }),
      ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
    },
  });
}

/** Whether an answer of that status may be another one later. */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE.has(status);
}

/** Whether an error body says that a budget at the upstream is used up. */
export function isCreditExhausted(body: Uint8Array): boolean {
  return isExhausted(upstreamDetails(new TextDecoder().decode(body), CLASSIFYING_PATHS, undefined));
}

function isExhausted(upstream: Readonly<Record<string, string | number>>): boolean {
  return CLASSIFYING_PATHS.some((path) => EXHAUSTED.test(String(upstream[path] ?? '')));
}

function refusalCode(status: number): EgressErrorCode {
  if (status === 401 || status === 403) return 'egress_credentials_rejected';
  if (status === 429) return 'egress_throttled';
  return MODEL_CAN_ACT.has(status) ? 'egress_rejected' : 'egress_unavailable';
}

async function beginning(body: ResponseBody, call: EgressCallName): Promise<string> {
  try {
    return new TextDecoder().decode(await readBeginning(body, MAX_ERROR_BYTES, call));
  } catch {
    // The status is the news; a body that broke off, or is too large, adds nothing to it.
    return '';
  }
}

function upstreamDetails(
  text: string,
  paths: readonly string[],
  secret: string | undefined,
): Record<string, string | number> {
  const parsed = parseJson(text);
  const details: Record<string, string | number> = {};
  for (const path of paths) {
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (isPlainObject(at) ? ownValue(at, key) : undefined), parsed);
    if (typeof value === 'number') details[path] = value;
    if (typeof value === 'string') details[path] = untrustedText(value, secret);
  }
  return details;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function untrustedText(text: string, secret: string | undefined): string {
  const redacted = secret === undefined ? text : text.replaceAll(secret, '[redacted]');
  return foreignText(redacted, MAX_TEXT_LENGTH);
}
