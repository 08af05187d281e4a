import { HttpException } from '@nestjs/common';
import type { PaletteError } from './palette-error.js';
import { ERROR_CODES, errorMessage } from './error-codes.js';

/** The body that a refusal of this library has over HTTP. */
export interface RefusalBody {
  readonly statusCode: number;
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/**
 * Turns a refusal into an `HttpException`, so that the application's own exception filters see an ordinary one.
 * The message is the sentence without the `[code]` in front: the code has a property of its own.
 */
export function toHttpException(error: PaletteError): HttpException {
  const message = error.message.startsWith(`[${error.code}] `)
    ? error.message.slice(error.code.length + 3)
    : error.message;
  const body: RefusalBody = {
    statusCode: error.status,
    code: error.code,
    message: message || errorMessage(error.code),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
  return new HttpException(body, ERROR_CODES[error.code].status, { cause: error });
}
