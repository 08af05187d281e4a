import type { JsonSchema } from '../../common/index.js';
import { readClassProperties } from '../../operations/index.js';
import type { Palette, PaletteEntry } from '../../palette/index.js';
import { QueryInput } from '../../query/index.js';

/** A tool that asks for rows of a read model. */
export interface QueryTool {
  readonly entry: PaletteEntry;
  readonly input: QueryInput;
}

/** The query tools of a palette, in its order. */
export function queryTools(palette: Palette): readonly QueryTool[] {
  return palette.definitions.flatMap(({ name }) => {
    const entry = palette.entry(name);
    const input = [...(entry?.operation.input.declared.values() ?? [])].find((each) => each instanceof QueryInput);
    return entry !== undefined && input !== undefined ? [{ entry, input }] : [];
  });
}

/** JSON Schema of a row, as its read model says: of the fields that this palette lets a query return, and no others. */
export function rowSchema({ entry, input }: QueryTool): JsonSchema {
  const { operation } = entry;
  const policy =
    entry.queryPolicy ?? input.describeFor(operation.controller.prototype as object, operation.methodName).policy;
  const shown = new Set(policy.returnable ?? policy.readFields);
  const properties = readClassProperties(input.readModel)
    .filter(({ name, excluded }) => !excluded && shown.has(name))
    .map(({ name, schema }) => [name, schema] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: input.readModel.name,
    type: 'object',
    properties: Object.fromEntries(properties),
  };
}
