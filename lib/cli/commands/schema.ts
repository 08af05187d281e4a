import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../common/index.js';
import type { OperationDescriptor } from '../../operations/index.js';
import type { FilterGrammar, Palette, PaletteEntry } from '../../palette/index.js';
import type { ApplicationSurface, SurfacePalette } from '../application/application-surface.js';
import { CommandError } from '../command-error.js';
import type { SchemaCommand } from '../command-line.js';

/** What a model is told of one operation, and in which palettes it is told so. */
export interface ToldDefinition {
  /** Empty where no palette holds the operation. */
  readonly palettes: readonly string[];
  /** The tool's name; the operation's own where no palette holds it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What the schema refers to where the palette tells its filter grammar apart. */
  readonly filterGrammar?: FilterGrammar;
}

/**
 * The answer of `schema`, as text or as JSON.
 *
 * @throws CommandError where there is no such operation or palette
 */
export function schema(surface: ApplicationSurface, command: SchemaCommand): string {
  const told = toldDefinitions(surface, command);
  if (command.json) return `${jsonText(told)}\n`;
  return told.map(definitionText).join('\n');
}

function toldDefinitions(surface: ApplicationSurface, command: SchemaCommand): readonly ToldDefinition[] {
  const operation = operationNamed(surface, command.operation);
  const all = palettesNamed(surface, command.palette);
  const told = all.flatMap(({ palette, entries }) =>
    entries.filter((entry) => entry.operation === operation).map((entry) => toldDefinition(palette, entry)),
  );
  if (told.length > 0) return merged(told);
  if (command.palette !== undefined) {
    throw new CommandError(`Palette "${command.palette}" does not hold the operation "${operation.name}".`);
  }
  const { name, description, input } = operation;
  return [{ palettes: [], name, description, inputSchema: input.schema }];
}

function toldDefinition({ name: palette, filterGrammar }: Palette, entry: PaletteEntry): ToldDefinition {
  const { name, description, inputSchema } = entry.definition;
  const refersToGrammar = filterGrammar !== undefined && inputSchema !== entry.argumentsSchema;
  return { palettes: [palette], name, description, inputSchema, ...(refersToGrammar && { filterGrammar }) };
}

/** Palettes that tell the same share one definition. */
function merged(told: readonly ToldDefinition[]): readonly ToldDefinition[] {
  const result: ToldDefinition[] = [];
  for (const each of told) {
    const index = result.findIndex((known) => isDeepStrictEqual({ ...known, palettes: [] }, { ...each, palettes: [] }));
    const known = result[index];
    if (known === undefined) result.push(each);
    else result[index] = { ...known, palettes: [...known.palettes, ...each.palettes] };
  }
  return result;
}

function operationNamed({ operations, palettes }: ApplicationSurface, name: string): OperationDescriptor {
  const byName = operations.find(({ descriptor }) => descriptor.name === name)?.descriptor;
  const byTool = palettes
    .flatMap(({ entries }) => entries)
    .find(({ definition }) => definition.name === name)?.operation;
  const found = byName ?? byTool;
  if (found !== undefined) return found;
  throw new CommandError(
    `There is no operation "${name}". Operations are: ${operations.map(({ descriptor }) => descriptor.name).join(', ')}.`,
  );
}

function palettesNamed({ palettes }: ApplicationSurface, name: string | undefined): readonly SurfacePalette[] {
  if (name === undefined) return palettes;
  const found = palettes.filter(({ palette }) => palette.name === name);
  if (found.length > 0) return found;
  throw new CommandError(
    `There is no palette "${name}". Palettes are: ${palettes.map(({ palette }) => palette.name).join(', ')}.`,
  );
}

function definitionText({ palettes, name, description, inputSchema, filterGrammar }: ToldDefinition): string {
  const where = palettes.length === 0 ? 'in no palette' : `in ${palettes.join(', ')}`;
  const grammar = filterGrammar ? ['', filterGrammar.text, '', jsonText(filterGrammar.schema)] : [];
  return [`${name} (${where})`, description, '', jsonText(inputSchema), ...grammar, ''].join('\n');
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
