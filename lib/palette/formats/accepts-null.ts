import type { JsonSchema } from '../../common/index.js';
import { referencedDefinition } from './schema-references.js';

type Conditional = JsonSchema & { if?: JsonSchema; then?: JsonSchema; else?: JsonSchema };

/** Whether a schema of a document lets null pass. Keywords that bear on values of other types let it pass. */
export function acceptsNull(
  schema: JsonSchema | boolean,
  document: JsonSchema,
  behind: ReadonlySet<string> = new Set(),
): boolean {
  if (typeof schema === 'boolean') return schema;
  const accepts = (inner: JsonSchema | boolean): boolean => acceptsNull(inner, document, behind);
  if (schema.type !== undefined && ![schema.type].flat().includes('null')) return false;
  if (schema.enum !== undefined && !schema.enum.includes(null)) return false;
  if (Object.hasOwn(schema, 'const') && schema.const !== null) return false;
  if (schema.$ref !== undefined && !referenceAcceptsNull(schema.$ref, document, behind)) return false;
  if (schema.allOf !== undefined && !schema.allOf.every(accepts)) return false;
  if (schema.anyOf !== undefined && !schema.anyOf.some(accepts)) return false;
  if (schema.oneOf !== undefined && schema.oneOf.filter(accepts).length !== 1) return false;
  if (schema.not !== undefined && accepts(schema.not)) return false;
  return conditionAcceptsNull(schema, accepts);
}

function referenceAcceptsNull(ref: string, document: JsonSchema, behind: ReadonlySet<string>): boolean {
  const target = referencedDefinition(ref, document);
  // A definition that is nothing but itself says nothing about null.
  if (target === undefined || behind.has(ref)) return true;
  return acceptsNull(target, document, new Set([...behind, ref]));
}

function conditionAcceptsNull(schema: Conditional, accepts: (inner: JsonSchema) => boolean): boolean {
  if (schema.if === undefined) return true;
  const consequence = accepts(schema.if) ? schema.then : schema.else;
  return consequence === undefined || accepts(consequence);
}
