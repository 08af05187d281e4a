import type { OperationDescriptor } from '../operations/index.js';
import type { ResolvedQueryPolicy } from '../query/index.js';
import type { ToolDefinition } from './tool-definition.js';

/** One operation in a palette, under the name a model calls it by. */
export interface PaletteEntry {
  readonly operation: OperationDescriptor;
  readonly definition: ToolDefinition;
  /** The query policy that calls through this palette are held to, where the palette narrows it. */
  readonly queryPolicy: ResolvedQueryPolicy | undefined;
}

/** What a palette holds once the application has booted. */
export interface PaletteContent {
  readonly readOnly: boolean;
  readonly entries: ReadonlyMap<string, PaletteEntry>;
  readonly definitions: readonly ToolDefinition[];
}

/**
 * A named, frozen part of the catalogue: all that one agent may see and call. Inject it with `@InjectPalette(name)`.
 * Its content is read on first use, at the latest when the application initialises.
 */
export class Palette {
  readonly #content: () => PaletteContent;

  constructor(
    readonly name: string,
    content: () => PaletteContent,
  ) {
    this.#content = content;
    Object.freeze(this);
  }

  /** The tools as a model is told of them, in the order of the allow-list. */
  get definitions(): readonly ToolDefinition[] {
    return this.#content().definitions;
  }

  /** Whether commands were refused at boot. */
  get readOnly(): boolean {
    return this.#content().readOnly;
  }

  /** The entry that a model calls `toolName`; undefined for every other name. */
  entry(toolName: string): PaletteEntry | undefined {
    return this.#content().entries.get(toolName);
  }
}
