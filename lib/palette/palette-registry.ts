import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { BootFaults, PaletteBootError } from '../common/index.js';
import { OperationCatalogue } from '../operations/index.js';
import { buildPalette } from './build-palette.js';
import { Palette, type PaletteContent } from './palette.js';
import { PaletteDeclaration, type PaletteOptions } from './palette.options.js';

const PALETTE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Every palette of the application. Operations and palettes are checked together, and every fault is told at once. */
@Injectable()
export class PaletteRegistry {
  readonly #palettes = new Map<string, Palette>();
  #outcome: { contents: ReadonlyMap<string, PaletteContent> } | { error: unknown } | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly catalogue: OperationCatalogue,
  ) {}

  /** The palette of that name. It can be injected before its content is read. */
  palette(name: string): Palette {
    const palette = this.#palettes.get(name) ?? new Palette(name, () => this.#content(name));
    this.#palettes.set(name, palette);
    return palette;
  }

  /** All palettes that the application declares, in the order of their modules. */
  get palettes(): readonly Palette[] {
    return [...this.#contents().keys()].map((name) => this.palette(name));
  }

  /** @throws PaletteBootError with every fault of operations and palettes. */
  check(): void {
    this.#contents();
  }

  #content(name: string): PaletteContent {
    const content = this.#contents().get(name);
    if (content !== undefined) return content;
    const faults = new BootFaults();
    faults.add('palette_unknown', { palette: name });
    faults.throwIfAny();
    throw new Error('unreachable');
  }

  #contents(): ReadonlyMap<string, PaletteContent> {
    this.#outcome ??= this.#build();
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome.contents;
  }

  #build(): { contents: ReadonlyMap<string, PaletteContent> } | { error: unknown } {
    const faults = new BootFaults();
    const contents = new Map<string, PaletteContent>();
    for (const options of this.#declarations()) {
      if (!PALETTE_NAME.test(options.name)) faults.add('palette_name_invalid', { palette: options.name });
      if (contents.has(options.name)) {
        const twice = { what: 'Palette', name: options.name, first: 'one forFeature', second: 'another' };
        faults.add('palette_name_collision', twice);
      }
      contents.set(options.name, buildPalette(options, this.catalogue.operations, faults));
    }
    const [first, ...rest] = [...this.catalogue.faults, ...faults.list];
    return first === undefined ? { contents } : { error: new PaletteBootError([first, ...rest]) };
  }

  #declarations(): PaletteOptions[] {
    const declared = this.discovery
      .getProviders()
      .map((wrapper) => wrapper.instance as unknown)
      .filter((instance) => instance instanceof PaletteDeclaration);
    return [...new Set(declared)].map((declaration) => declaration.options);
  }
}
