import { Inject } from '@nestjs/common';

/** The injection token of a palette. */
export function getPaletteToken(name: string): symbol {
  return Symbol.for(`nestjs-palette:palette:PALETTE(${name})`);
}

/** Injects the `Palette` that `OperationsModule.forFeature` declared under this name. */
export function InjectPalette(name: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaletteToken(name));
}
