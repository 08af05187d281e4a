export { readStandardSchema, type StandardReading } from './read-standard-schema.js';
export {
  standardSchemaOf,
  standardSchemaOfClass,
  standardSchemaOfPipe,
  type StandardSchema,
} from './standard-schema.js';
