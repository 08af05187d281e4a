import { PaletteError } from '../common/index.js';

/** A store of conversations cannot be used as it was set up. */
export class AgentStoreError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:AgentStoreError');
}
