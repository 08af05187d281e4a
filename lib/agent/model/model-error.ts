import { PaletteError, type ErrorCode, type PaletteErrorOptions } from '../../common/index.js';

/** The codes that a model's reply can fail with. */
export type ModelErrorCode = Extract<ErrorCode, `model_${string}`>;

/** Which model an error is about. */
export interface ModelName {
  readonly name: string;
  readonly provider: string;
}

/**
 * What a model throws where a reply came and cannot be used: it broke off, the provider refused inside of it, or it is no
 * reply. What failed before there was one is an `EgressError`. `details.upstream` holds text of the provider: treat it as
 * untrusted.
 */
export class ModelError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:ModelError');

  readonly model: string;
  readonly provider: string;

  constructor(code: ModelErrorCode, model: ModelName, options: PaletteErrorOptions = {}) {
    super(code, { ...options, parameters: { model: model.name, ...options.parameters } });
    this.model = model.name;
    this.provider = model.provider;
  }
}
