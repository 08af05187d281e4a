import { PaletteError } from '../common/index.js';

/** What the loop itself refuses or fails with: limits, definitions, a run that cannot begin. */
export class AgentError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:AgentError');
}
