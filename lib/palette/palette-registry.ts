import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { bootFault, BootFaults, PaletteBootError, type BootFault } from '../common/index.js';
import { OperationCatalogue } from '../operations/index.js';
import { buildPalette } from './build-palette.js';
import { Palette, type PaletteContent } from './palette.js';
import { PaletteDeclaration, type PaletteOptions } from './palette.options.js';

const PALETTE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

interface BuiltPalettes {
  readonly contents: ReadonlyMap<string, PaletteContent>;
  readonly faults: readonly BootFault[];
}

/** Every palette of the application. Operations and palettes are checked together, and every fault is told at once. */
@Injectable()
export class PaletteRegistry {
  readonly #palettes = new Map<string, Palette>();
  #built: BuiltPalettes | undefined;

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

  /** What is wrong with operations and palettes. Where something is, no palette has a content. */
  get faults(): readonly BootFault[] {
    this.#built ??= this.#build();
    return this.#built.faults;
  }

  /** Each operation that a person must approve is a fault: nothing keeps approvals. */
  addGatedOperations(faults: BootFaults): void {
    if (this.faults.length > 0) return;
    for (const [palette, { entries }] of this.#contents()) {
      for (const { approvalRules, operation } of entries.values()) {
        if (approvalRules.length > 0) faults.add('approval_gate_missing', { palette, operation: operation.name });
      }
    }
  }

  #content(name: string): PaletteContent {
    const content = this.#contents().get(name);
    if (content !== undefined) return content;
    throw new PaletteBootError([bootFault('palette_unknown', { palette: name })]);
  }

  #contents(): ReadonlyMap<string, PaletteContent> {
    this.#built ??= this.#build();
    const [first, ...rest] = this.#built.faults;
    if (first !== undefined) throw new PaletteBootError([first, ...rest]);
    return this.#built.contents;
  }

  #build(): BuiltPalettes {
    const faults = new BootFaults();
    faults.include(this.catalogue.faults);
    const contents = new Map<string, PaletteContent>();
    for (const options of this.#declarations()) {
      if (!PALETTE_NAME.test(options.name)) faults.add('palette_name_invalid', { palette: options.name });
      if (contents.has(options.name)) {
        const twice = { what: 'Palette', name: options.name, first: 'one forFeature', second: 'another' };
        faults.add('palette_name_collision', twice);
      }
      contents.set(options.name, buildPalette(options, this.catalogue.operations, faults));
    }
    return { contents, faults: faults.list };
  }

  #declarations(): PaletteOptions[] {
    const declared = this.discovery
      .getProviders()
      .map((wrapper) => wrapper.instance as unknown)
      .filter((instance) => instance instanceof PaletteDeclaration);
    return [...new Set(declared)].map((declaration) => declaration.options);
  }
}
