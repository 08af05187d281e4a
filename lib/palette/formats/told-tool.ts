import type { JsonSchema } from '../../common/index.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { StrictOptions } from './strict/strict-schema-writer.js';

/** A tool of a palette, as the formats of providers take it. */
export interface ToldTool extends StrictOptions {
  readonly definition: ToolDefinition;
  readonly operation: { readonly name: string };
}

/** The JSON Schema of a tool's arguments, as the packages of providers type one. */
export type ToolInputSchema = JsonSchema & { type: 'object' } & Record<string, unknown>;

/** A copy of a schema for a caller to keep: what it does to it changes no palette. */
export function ownedSchema(schema: JsonSchema): ToolInputSchema {
  return structuredClone(schema) as ToolInputSchema;
}
