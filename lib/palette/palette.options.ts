import type { PaletteInclude } from './include.js';

export interface PaletteOptions {
  /** Names the palette for `@InjectPalette(name)`. */
  readonly name: string;
  /** The palette's whole content, in the order a model sees it. Required; an empty list is a boot error. */
  readonly include: readonly PaletteInclude[];
  /** Whether commands are refused at boot. Default: true. */
  readonly readOnly?: boolean;
}

/** One palette of `OperationsModule.forFeature`, found by the registry among the application's providers. */
export class PaletteDeclaration {
  constructor(readonly options: PaletteOptions) {}
}
