import { STATUS_CODES } from 'node:http';
import { errorMessage, isPlainObject, ownValue, type ErrorCode, type MessageParameters } from '../../common/index.js';
import type { Answer } from '../exchange/answer-bytes.js';
import type { ToolResult } from '../../palette/index.js';

/** What a model is told of a refusal. */
export interface RefusalContent {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** An error result with a code of this library. */
export function refusal(
  toolCallId: string,
  code: ErrorCode,
  told: { readonly parameters?: MessageParameters; readonly details?: unknown } = {},
): ToolResult {
  const content: RefusalContent = {
    code,
    message: errorMessage(code, told.parameters),
    ...(told.details === undefined ? {} : { details: told.details }),
  };
  return { toolCallId, isError: true, content };
}

/** The content of a successful answer: nothing is `{}`, JSON and text are as they are, bytes are described. */
export function answerContent({ headers, body }: Answer): unknown {
  if (body.length === 0) return {};
  const mediaType = mediaTypeOf(headers);
  if (isPacked(headers)) return { resource: { mediaType, bytes: body.length } };
  const json = isJson(mediaType) ? parseJson(body) : undefined;
  if (json !== undefined) return json.value;
  if (mediaType === '' || isJson(mediaType) || mediaType.startsWith('text/')) return body.toString('utf8');
  return { resource: { mediaType, bytes: body.length } };
}

/** A 4xx answer in the words of the application; its own `code` where it has one, else the name of the status. */
export function refusedByApplication(toolCallId: string, { status, headers, body }: Answer): ToolResult {
  const told = isJson(mediaTypeOf(headers)) ? parseJson(body) : undefined;
  const fields = isPlainObject(told?.value) ? told.value : {};
  const text = ownValue(fields, 'message');
  const reason = STATUS_CODES[status] ?? 'Refused';
  const details = ownValue(fields, 'details') ?? (Array.isArray(text) ? text : undefined);
  const content: RefusalContent = {
    code: ownCode(ownValue(fields, 'code')) ?? statusCode(status),
    message: typeof text === 'string' ? text : reason,
    ...(details === undefined ? {} : { details }),
  };
  return { toolCallId, isError: true, content };
}

/** The code of a status that came without one: `not_found` of 404. */
export function statusCode(status: number): string {
  return (STATUS_CODES[status] ?? 'Refused').toLowerCase().replace(/[^a-z]+/g, '_');
}

/** A code of the application's own, where it is one. */
export function ownCode(code: unknown): string | undefined {
  return typeof code === 'string' && /^[A-Za-z][\w.-]{0,99}$/.test(code) ? code : undefined;
}

function mediaTypeOf(headers: Answer['headers']): string {
  return (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** In a coding that was not taken off: bytes, whatever the media type says of what they unpack to. */
function isPacked(headers: Answer['headers']): boolean {
  return !['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase());
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

function parseJson(body: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}

/** Statuses that the host has to solve, not the model: it is thrown, and what was answered stays with the host. */
export function hostErrorCode(status: number): ErrorCode | undefined {
  if (status === 401 || status === 407) return 'operation_unauthenticated';
  if (status === 408 || status >= 500) return 'operation_failed';
  return status >= 300 && status < 400 ? 'operation_redirected' : undefined;
}
