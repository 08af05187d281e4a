import { PaletteError, type ErrorCode, type PaletteErrorOptions } from '../common/index.js';

export interface DispatchErrorOptions extends PaletteErrorOptions {
  /** The operation's name. */
  readonly operation: string;
  /** The status that the application answered with, where it answered. */
  readonly upstreamStatus?: number;
}

/**
 * A tool call failed in a way that no model can mend: the host's credentials, a fault of the application, time. It is
 * thrown to whoever runs the agent; what the application answered is not in it.
 */
export class DispatchError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:DispatchError');

  readonly operation: string;
  readonly upstreamStatus: number | undefined;

  constructor(code: ErrorCode, options: DispatchErrorOptions) {
    super(code, { ...options, parameters: { operation: options.operation, ...options.parameters } });
    this.operation = options.operation;
    this.upstreamStatus = options.upstreamStatus;
  }
}
