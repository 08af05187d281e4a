import { PaletteError } from '../common/index.js';

/** A connection was opened by something that is no declared egress service, and was closed before anything was sent. */
export class UndeclaredEgressError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:UndeclaredEgressError');

  constructor(readonly destination: string) {
    super('egress_undeclared', { parameters: { destination } });
  }
}
