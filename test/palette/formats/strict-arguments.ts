import fc from 'fast-check';
import type { JsonSchema } from 'nestjs-palette';

/** What a model may write under a strict schema: it is held to every keyword of it. */
export function argumentsOf(document: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  return valueOf(document, document, 4) as fc.Arbitrary<Record<string, unknown>>;
}

function valueOf(schema: JsonSchema, document: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return valueOf(document.$defs?.[schema.$ref.slice('#/$defs/'.length)] ?? {}, document, depth - 1);
  }
  if (schema.anyOf !== undefined) {
    const shallow = depth > 0 ? schema.anyOf : schema.anyOf.filter((each) => each.type === 'null');
    return fc.oneof(...(shallow.length > 0 ? shallow : schema.anyOf).map((each) => valueOf(each, document, depth)));
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, document, depth)));
}

function valueOfType(type: string, schema: JsonSchema, document: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return schema.pattern === undefined ? fc.string() : fc.stringMatching(new RegExp(schema.pattern, 'u'));
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer');
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const { minItems: minLength = 0, maxItems } = schema;
      const maxLength = maxItems ?? minLength + (depth > 0 ? 2 : 0);
      return fc.array(valueOf(schema.items as JsonSchema, document, depth - 1), { minLength, maxLength });
    }
    case 'object': {
      const properties = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(properties.map(([name, each]) => [name, valueOf(each, document, depth)])));
    }
    default:
      return fc.constant(null);
  }
}

function numberOf(schema: JsonSchema, isInteger: boolean): fc.Arbitrary<number> {
  const step = schema.multipleOf ?? (isInteger ? 1 : 0.5);
  const above = schema.exclusiveMinimum === undefined ? (schema.minimum ?? -20) : schema.exclusiveMinimum + step;
  const below = schema.exclusiveMaximum === undefined ? (schema.maximum ?? above + 40) : schema.exclusiveMaximum - step;
  const bounds = { min: Math.ceil(Math.min(above, below) / step), max: Math.floor(below / step) };
  return fc.integer(bounds).map((count) => count * step);
}
