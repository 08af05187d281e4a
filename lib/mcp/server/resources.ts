import { ResourceNotFoundError, type ReadResourceResult, type Resource } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../common/index.js';
import type { Palette } from '../../palette/index.js';
import { queryTools, rowSchema } from './query-tools.js';

const SCHEMA_TYPE = 'application/schema+json';

interface ToldResource {
  readonly resource: Resource;
  readonly schema: () => JsonSchema;
}

/** What a caller may read of a palette: its filter grammar, and what rows of its read models are made of. */
export function resourcesOf(palette: Palette): readonly Resource[] {
  return toldResources(palette).map(({ resource }) => resource);
}

/** @throws ResourceNotFoundError for every other URI, also for what there is and the caller does not see */
export function readResource(palette: Palette, uri: string): ReadResourceResult {
  const found = toldResources(palette).find(({ resource }) => resource.uri === uri);
  if (found === undefined) throw new ResourceNotFoundError(uri, 'No resource of that URI is available.');
  return { contents: [{ uri, mimeType: SCHEMA_TYPE, text: JSON.stringify(found.schema()) }] };
}

function toldResources(palette: Palette): readonly ToldResource[] {
  const base = `palette://${palette.name}`;
  const grammar = palette.filterGrammar;
  const rows = queryTools(palette)
    .filter(({ input }) => input.form === 'list')
    .map((tool) => ({
      resource: {
        uri: `${base}/rows/${encodeURIComponent(tool.entry.operation.name)}`,
        name: `rows of ${tool.entry.definition.name}`,
        description: `JSON Schema of the rows that ${tool.entry.definition.name} answers with.`,
        mimeType: SCHEMA_TYPE,
      },
      schema: () => rowSchema(tool),
    }));
  if (grammar === undefined) return rows;
  const { text: description, schema } = grammar;
  const resource = { uri: `${base}/filter-grammar`, name: 'filter grammar', description, mimeType: SCHEMA_TYPE };
  return [{ resource, schema: () => schema }, ...rows];
}
