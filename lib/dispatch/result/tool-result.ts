import { STATUS_CODES } from 'node:http';
import { errorMessage, isPlainObject, ownValue, type ErrorCode, type MessageParameters } from '../../common/index.js';
import type { OperationDescriptor } from '../../operations/index.js';
import type { Answer } from '../exchange/answer-bytes.js';
import type { ToolResult } from '../../palette/index.js';

const MAX_REASON_BYTES = 2_000;

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

/**
 * What is told of a successful answer that is larger than it may be. What only reads is refused, to be asked for less. What acts
 * has acted: told as an error it would be repeated, and an effect that commits together with a ledger would be taken back.
 */
export function tooLarge(
  toolCallId: string,
  { readOnly }: OperationDescriptor['annotations'],
  maxBytes: number,
): ToolResult {
  const told = { parameters: { maxBytes } };
  if (readOnly) return refusal(toolCallId, 'tool_result_too_large', told);
  return { ...refusal(toolCallId, 'tool_result_omitted', told), isError: false };
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

/**
 * A 4xx answer in the words of the application, be they `message`, the `detail` or `title` of a problem (RFC 9457), or plain
 * text; its own `code` where it has one, else the name of the status.
 */
export function refusedByApplication(toolCallId: string, { status, headers, body }: Answer): ToolResult {
  const mediaType = mediaTypeOf(headers);
  const told = isJson(mediaType) ? parseJson(body) : undefined;
  const fields = isPlainObject(told?.value) ? told.value : {};
  const text = ownValue(fields, 'message');
  const words = [text, ownValue(fields, 'detail'), ownValue(fields, 'title'), plainWords(mediaType, headers, body)];
  const details = ownValue(fields, 'details') ?? ownValue(fields, 'errors') ?? (Array.isArray(text) ? text : undefined);
  const content: RefusalContent = {
    code: ownCode(ownValue(fields, 'code')) ?? statusCode(status),
    message: words.find(isWords) ?? STATUS_CODES[status] ?? 'Refused',
    ...(details === undefined ? {} : { details }),
  };
  return { toolCallId, isError: true, content };
}

function isWords(words: unknown): words is string {
  return typeof words === 'string' && words.trim() !== '';
}

/** What a refusal in plain text says; a page is for people, and a long text is no reason. */
function plainWords(mediaType: string, headers: Answer['headers'], body: Buffer): string | undefined {
  const isReason = mediaType === 'text/plain' && body.length <= MAX_REASON_BYTES && !isPacked(headers);
  return isReason ? body.toString('utf8') : undefined;
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
