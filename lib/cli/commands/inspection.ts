import type { EgressManifestService } from '../../egress/index.js';
import type { TextSize } from '../../palette/index.js';
import type { ApplicationSurface, SurfaceOperation, SurfacePalette } from '../application/application-surface.js';

/** What `inspect --json` prints. */
export interface Inspection {
  readonly operations: readonly InspectedOperation[];
  readonly palettes: readonly InspectedPalette[];
  /** Null where only a boot tells. */
  readonly egress: readonly EgressManifestService[] | null;
}

export interface InspectedOperation {
  readonly name: string;
  readonly kind: string;
  readonly route: string;
  readonly description: string;
  /** Names of the palettes that hold it. */
  readonly palettes: readonly string[];
  /** Why no palette holds it; only there where none does. */
  readonly inNoPaletteBecause?: string;
  /** What its schema leaves open: where, and why. */
  readonly gaps: readonly { readonly at: string; readonly why: string }[];
}

export interface InspectedPalette {
  readonly name: string;
  readonly readOnly: boolean;
  readonly include: readonly string[];
  readonly tools: readonly InspectedTool[];
  /** Of all tools, with the shared filter grammar where there is one. */
  readonly size: TextSize;
}

export interface InspectedTool {
  readonly name: string;
  readonly operation: string;
  readonly size: TextSize;
}

/** What is known of an application, as plain JSON. */
export function inspectionOf({ operations, palettes, egress }: ApplicationSurface): Inspection {
  return {
    operations: operations.map((operation) => inspectOperation(operation, palettes)),
    palettes: palettes.map(inspectPalette),
    egress: egress ?? null,
  };
}

function inspectOperation(operation: SurfaceOperation, all: readonly SurfacePalette[]): InspectedOperation {
  const { descriptor, route } = operation;
  const palettes = all
    .filter(({ entries }) => entries.some((entry) => entry.operation === descriptor))
    .map(({ palette }) => palette.name);
  return {
    name: descriptor.name,
    kind: descriptor.kind,
    route,
    description: descriptor.description,
    palettes,
    ...(palettes.length === 0 && { inNoPaletteBecause: reason(operation, all) }),
    gaps: descriptor.input.gaps,
  };
}

function reason({ descriptor }: SurfaceOperation, palettes: readonly SurfacePalette[]): string {
  if (descriptor.sensitive) return 'it is marked sensitive, and no palette can hold it';
  if (palettes.length === 0) return 'there is no palette';
  const isCommandAmongReaders = descriptor.kind === 'command' && palettes.every(({ palette }) => palette.readOnly);
  return `no palette includes it${isCommandAmongReaders ? '; a command needs one with readOnly: false' : ''}`;
}

function inspectPalette({ palette, include, entries }: SurfacePalette): InspectedPalette {
  const { characters, tokens, definitions } = palette.estimate();
  const sizes = new Map(definitions.map((each) => [each.name, { characters: each.characters, tokens: each.tokens }]));
  return {
    name: palette.name,
    readOnly: palette.readOnly,
    include,
    tools: entries.map(({ operation, definition: { name } }) => ({
      name,
      operation: operation.name,
      size: sizes.get(name) ?? { characters: 0, tokens: 0 },
    })),
    size: { characters, tokens },
  };
}
