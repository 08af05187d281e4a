import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Logger } from '@nestjs/common';
import { errorMessage, PaletteError, type ErrorCode } from '../../common/index.js';

/** A refusal that is the client's to mend, not the model's: an error of the protocol, with our code in `data`. */
export function protocolRefusal(code: ErrorCode): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, errorMessage(code), { code });
}

/** Writes down what the application failed with, and gives it back. */
export function logged(logger: Logger, error: unknown): unknown {
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return error;
}

/** Keeps what goes wrong within a handler from the client: the protocol's own code would send the error's message. */
export function masked<Parameters extends unknown[], Result>(
  logger: Logger,
  handle: (...parameters: Parameters) => Result | Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  return async (...parameters) => {
    try {
      return await handle(...parameters);
    } catch (error) {
      if (ProtocolError.isInstance(error)) throw error;
      logged(logger, error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
    }
  };
}

/** What a client is told of a call that failed for a reason that is not for its model. */
export function maskedFailure(error: unknown): { readonly code: string; readonly message: string } {
  const isTimeout = PaletteError.isInstance(error) && error.code === 'deadline_exceeded';
  if (isTimeout) return { code: 'deadline_exceeded', message: 'The tool took longer than it may.' };
  const isCancelled = PaletteError.isInstance(error) && error.code === 'dispatch_cancelled';
  if (isCancelled) return { code: 'dispatch_cancelled', message: errorMessage('dispatch_cancelled') };
  return { code: 'operation_failed', message: 'The tool failed.' };
}
