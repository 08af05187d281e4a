import { ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server';
import { ERROR_CODES, errorMessage, isPlainObject, type ErrorCode } from '../../common/index.js';
import { challengeHeader, type Challenge } from '../authorization/challenge.js';
import type { McpAuthorizationOptions } from '../authorization/authorization.options.js';
import { MAX_MESSAGES, type RequestBody } from './request-body.js';

/** The server's own range of JSON-RPC error codes. */
const SERVER_ERROR = -32_000;

/** A request that is refused before any message of it is read. */
export function refusalAnswer(code: ErrorCode): Response {
  return errorAnswer(ERROR_CODES[code].status, SERVER_ERROR, errorMessage(code), { data: { code } });
}

/** A body that holds no message, or more than one request may. */
export function bodyAnswer(kind: Exclude<RequestBody['kind'], 'json' | 'gone'>, maxBytes: number): Response {
  if (kind === 'too_large') return errorAnswer(413, SERVER_ERROR, `The body is larger than ${maxBytes} bytes.`);
  if (kind === 'too_many' || kind === 'batch') {
    const message =
      kind === 'batch'
        ? 'The body is a batch, which there is none of in this revision of the protocol.'
        : `The body holds more than ${MAX_MESSAGES} messages.`;
    return errorAnswer(400, ProtocolErrorCode.InvalidRequest, message);
  }
  const message = kind === 'none' ? 'The body is empty.' : 'The body is not JSON.';
  return errorAnswer(400, ProtocolErrorCode.ParseError, message);
}

/** A method that the endpoint has nothing for, in the words that the protocol's own entry has for it. */
export function methodAnswer(): Response {
  return errorAnswer(405, SERVER_ERROR, 'Method not allowed.', { headers: { allow: 'POST' } });
}

/** A request that the application failed at, in the words that the protocol's own entry has for it. */
export function failureAnswer(id: RequestId): Response {
  return errorAnswer(500, ProtocolErrorCode.InternalError, 'Internal server error', { id });
}

/** A message whose caller lacks a token or scopes. */
export function challengeAnswer(
  challenge: Challenge,
  message: unknown,
  options: McpAuthorizationOptions | undefined,
): Response {
  const code = challenge.status === 401 ? 'operation_unauthenticated' : 'insufficient_scope';
  const text = challenge.status === 401 ? 'The application did not accept who is calling.' : 'More scopes are needed.';
  return errorAnswer(challenge.status, ProtocolErrorCode.InvalidRequest, text, {
    data: { code },
    id: isPlainObject(message) ? message['id'] : null,
    headers: { 'www-authenticate': challengeHeader(challenge, options) },
  });
}

function errorAnswer(
  status: number,
  code: number,
  message: string,
  more: { readonly data?: object; readonly id?: unknown; readonly headers?: Record<string, string> } = {},
): Response {
  const error = { code, message, ...(more.data && { data: more.data }) };
  return Response.json(
    { jsonrpc: '2.0', id: more.id ?? null, error },
    { status, ...(more.headers && { headers: more.headers }) },
  );
}
