export { readClassProperties, type ClassProperty } from './class-properties.js';
export { schemaOfClass } from './class-schema.js';
export { classOfParameter, type ParameterClass } from './parameter-class.js';
export { schemaOfParameter, type ParameterDescription, type ParameterSchema } from './parameter-schema.js';
export { SchemaContext, type SchemaGap, type ValidationView } from './schema-context.js';
