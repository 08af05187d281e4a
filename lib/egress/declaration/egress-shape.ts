import type { StandardSchema } from './standard-schema.js';

/** A DTO class with class-validator decorators. */
export type DtoClass<Instance extends object = object> = new () => Instance;

/** How arguments and replies are described: a DTO class, or a Standard Schema (zod, valibot, arktype, ...). */
export type EgressShape = DtoClass | StandardSchema;

/** What goes into a shape: the DTO's properties, or the schema's input. */
export type ShapeInput<Shape> = Shape extends StandardSchema
  ? NonNullable<Shape['~standard']['types']>['input']
  : Shape extends DtoClass<infer Instance>
    ? Instance
    : never;

/** What comes out of a shape: an instance of the DTO, or the schema's output. */
export type ShapeOutput<Shape> = Shape extends StandardSchema
  ? NonNullable<Shape['~standard']['types']>['output']
  : Shape extends DtoClass<infer Instance>
    ? Instance
    : never;
