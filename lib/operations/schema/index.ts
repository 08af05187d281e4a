export { readClassProperties, type ClassProperty } from './class-properties.js';
export { schemaOfClass } from './class-schema.js';
export { classOfParameter, type ParameterClass } from './parameter-class.js';
export { isPipeOfApplication } from './parameter-pipes.js';
export { schemaOfParameter, type ParameterDescription, type ParameterSchema } from './parameter-schema.js';
export { SchemaContext, type SchemaGap, type ValidationView } from './schema-context.js';
export {
  readStandardSchema,
  standardSchemaOf,
  standardSchemaOfClass,
  standardSchemaOfPipe,
  type StandardReading,
  type StandardSchema,
} from './standard/index.js';
export { expectedTypeOf, validationViewOf } from './validation-view.js';
