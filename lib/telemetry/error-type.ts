import { PaletteError } from '../common/index.js';

/** What an error is called in telemetry: our code, else the name of its class. Few values, and never a message. */
export function errorTypeOf(error: unknown): string {
  if (PaletteError.isInstance(error)) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
