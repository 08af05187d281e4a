export { readClassProperties, type ClassProperty } from './class-properties.js';
export { referenceToClass, schemaOfClass } from './class-schema.js';
export { documentedOperation, type DocumentedOperation, type DocumentedParameter } from './documented-operation.js';
export { classOfParameter, type ParameterClass } from './parameter-class.js';
export { isPipeOfApplication } from './parameter-pipes.js';
export { whileRemembering } from './metadata-memory.js';
export { schemaOfParameter, type ParameterDescription, type ParameterSchema } from './parameter-schema.js';
export { SchemaContext, type SchemaGap, type ValidationView } from './schema-context.js';
export { inputDocument } from './input-document.js';
export {
  readStandardSchema,
  standardSchemaOf,
  standardSchemaOfClass,
  standardSchemaOfPipe,
  type StandardReading,
  type StandardSchema,
} from './standard/index.js';
export { expectedTypeOf, validationViewOf } from './validation-view.js';
