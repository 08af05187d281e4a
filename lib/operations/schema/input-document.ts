import type { Type } from '@nestjs/common';
import { deepFreeze, type JsonSchema } from '../../common/index.js';
import { schemaOfClass } from './class-schema.js';
import { SchemaContext } from './schema-context.js';
import { readStandardSchema, standardSchemaOf } from './standard/index.js';

/**
 * One closed JSON Schema document of what a DTO class or a Standard Schema takes in, for what is no operation.
 *
 * @param name what definitions of a Standard Schema are named after
 */
export function inputDocument(shape: unknown, name: string): JsonSchema {
  const context = new SchemaContext();
  const standard = standardSchemaOf(shape);
  const schema =
    standard === undefined
      ? schemaOfClass(shape as Type, context)
      : readStandardSchema(standard, { context, name, placeOf: (path) => [name, path].filter(Boolean).join('.') })
          .schema;
  const { definitions } = context;
  return deepFreeze({
    type: 'object',
    ...schema,
    ...(Object.keys(definitions).length > 0 && { $defs: { ...definitions } }),
  });
}
