import { ERROR_CODES, errorMessage, type ErrorCode, type MessageParameters } from './error-codes.js';

export interface PaletteErrorOptions {
  /** Values for the placeholders of the code's message. Never an operand, a body or a secret. */
  readonly parameters?: MessageParameters;
  /** Replaces the message of the table where one sentence cannot say it. */
  readonly message?: string;
  /** Structured facts for whoever handles the error; JSON values only. */
  readonly details?: unknown;
  readonly cause?: unknown;
  /** Overrides the table's answer for this one occurrence. */
  readonly retryable?: boolean;
}

/**
 * Base of everything this library throws. The message begins with `[code]`, since Nest prints messages and not codes.
 * `isInstance` also recognises errors of a second copy of the library in one process.
 */
export abstract class PaletteError extends Error {
  static readonly brand: symbol = Symbol.for('nestjs-palette:PaletteError');

  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryable: boolean;
  /** HTTP status that the code stands for. */
  readonly status: number;

  constructor(code: ErrorCode, options: PaletteErrorOptions = {}) {
    super(`[${code}] ${options.message ?? errorMessage(code, options.parameters)}`, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? ERROR_CODES[code].retryable;
    this.status = ERROR_CODES[code].status;
    for (const brand of brandsOf(new.target)) Object.defineProperty(this, brand, { value: true });
  }

  static isInstance<T>(this: { readonly brand: symbol; readonly prototype: T }, value: unknown): value is T {
    return typeof value === 'object' && value !== null && Reflect.get(value, this.brand) === true;
  }
}

function brandsOf(errorClass: { brand?: symbol }): Set<symbol> {
  const brands = new Set<symbol>();
  let current: { brand?: symbol } | null = errorClass;
  while (current?.brand !== undefined) {
    brands.add(current.brand);
    current = Object.getPrototypeOf(current) as { brand?: symbol } | null;
  }
  return brands;
}
