import { AGENT_CODES } from './error-codes/agent-codes.js';
import { BOOT_CODES } from './error-codes/boot-codes.js';
import { CALL_CODES } from './error-codes/call-codes.js';
import { EGRESS_CODES } from './error-codes/egress-codes.js';
import { QUERY_CODES } from './error-codes/query-codes.js';
import type { ErrorCodeEntry } from './error-codes/error-code-entry.js';

export type { ErrorActor, ErrorCodeEntry } from './error-codes/error-code-entry.js';

/** Every code of the library, in one table; `docs/errors.md` is kept equal to it by a test. */
export const ERROR_CODES = {
  ...BOOT_CODES,
  ...CALL_CODES,
  ...AGENT_CODES,
  ...EGRESS_CODES,
  ...QUERY_CODES,
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Values for the placeholders of a message template. */
export type MessageParameters = Readonly<Record<string, string | number>>;

/** Fills the message template of a code. A placeholder without a value stays visible, so that a test sees it. */
export function errorMessage(code: ErrorCode, parameters: MessageParameters = {}): string {
  return ERROR_CODES[code].message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : placeholder,
  );
}
