import { PaletteError } from '../common/index.js';

/** Thrown where a store is used in a way that it cannot answer rightly. */
export class QueryStoreError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:QueryStoreError');
}
