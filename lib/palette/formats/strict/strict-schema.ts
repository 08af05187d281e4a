import type { JsonSchema } from '../../../common/index.js';
import { limitPassed } from './strict-limits.js';
import { StrictSchemaWriter, type StrictOptions } from './strict-schema-writer.js';

/** A schema that strict mode takes, or what of the schema it cannot carry. */
export type StrictSchema = { readonly schema: JsonSchema } | { readonly obstacles: readonly [string, ...string[]] };

/**
 * Says a schema so that strict mode takes it: objects closed at all depths, every property required and an optional one
 * nullable, no other keywords than the documented ones. What a keyword said beyond them is in the description.
 */
export function strictSchema(document: JsonSchema, options: StrictOptions): StrictSchema {
  const writer = new StrictSchemaWriter(document, options);
  const schema = writer.document();
  const passed = writer.obstacles.length === 0 ? limitPassed(schema) : undefined;
  const [first, ...rest] = passed === undefined ? writer.obstacles : [`The schema ${passed}.`];
  return first === undefined ? { schema } : { obstacles: [first, ...rest] };
}
