import { PaletteError } from '../common/index.js';

/** An approval cannot be seen or decided so: it is not there for this person, was settled before, or is not theirs to decide. */
export class ApprovalError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:ApprovalError');
}
