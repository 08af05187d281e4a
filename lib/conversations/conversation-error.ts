import { PaletteError } from '../common/index.js';

/** A conversation cannot be read or written: it is not there for this principal, is busy, or is of a later version. */
export class ConversationError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:ConversationError');
}
