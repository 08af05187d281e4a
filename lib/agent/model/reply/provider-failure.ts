import { foreignText, isPlainObject, ownValue } from '../../../common/index.js';
import { ModelError, type ModelName } from '../model-error.js';

const MAX_TEXT_LENGTH = 300;
const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
const RETRYABLE_WORDS = /overloaded|rate_?limit|server_error|api_error|timeout|unavailable|internal/i;
/** Exhausted credit does not come back by itself. */
const FINAL_WORDS = /quota|billing|credit|balance/i;
/** Providers quote a refused key in their message: of these only the classification is kept. */
const CREDENTIAL_WORDS = /auth|permission|api_?key|credential/i;

/** What a provider says went wrong, where a chunk or a reply of status 200 says so; undefined where it does not. */
export function failureIn(chunk: Readonly<Record<string, unknown>>): unknown {
  const { error } = chunk;
  if (error !== undefined && error !== null && error !== false && error !== '') return error;
  return chunk['object'] === 'error' || chunk['type'] === 'error' ? chunk : undefined;
}

/** The error for a failure that a provider tells inside a reply. `details.upstream` holds what it says, shortened. */
export function providerFailure(model: ModelName, failure: unknown): ModelError {
  const upstream = upstreamDetails(failure);
  const status = Number(upstream['status'] ?? upstream['code']);
  const words = Object.values(upstream).join(' ');
  const retryable =
    !FINAL_WORDS.test(words) && (RETRYABLE_STATUS.has(status) || RETRYABLE_WORDS.test(classOf(upstream)));
  return new ModelError('model_rejected', model, {
    parameters: { what: 'what it says is in `details`' },
    details: { upstream },
    retryable,
  });
}

function upstreamDetails(failure: unknown): Record<string, string | number> {
  if (typeof failure === 'string')
    return CREDENTIAL_WORDS.test(failure) ? {} : { message: foreignText(failure, MAX_TEXT_LENGTH) };
  if (!isPlainObject(failure)) return {};
  const details: Record<string, string | number> = {};
  for (const key of ['message', 'type', 'code', 'status']) {
    const value = ownValue(failure, key);
    if (typeof value === 'number') details[key] = value;
    if (typeof value === 'string' && value !== '') details[key] = foreignText(value, MAX_TEXT_LENGTH);
  }
  const isCredential =
    CREDENTIAL_WORDS.test(classOf(details)) || CREDENTIAL_WORDS.test(String(details['message'] ?? ''));
  if (isCredential) delete details['message'];
  return details;
}

function classOf(details: Readonly<Record<string, string | number>>): string {
  return `${String(details['type'] ?? '')} ${String(details['code'] ?? '')}`;
}
