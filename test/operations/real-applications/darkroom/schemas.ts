import type { Type } from '@nestjs/common';
import { z } from 'zod';

/** A class that stands for a schema, so that the compiler leaves it on the parameter. */
export function dtoOf<Schema extends z.ZodObject>(
  schema: Schema,
): Type<z.output<Schema>> & { readonly schema: Schema } {
  class Dto {
    static readonly isZodDto = true;
    static readonly schema = schema;
  }
  return Dto as unknown as Type<z.output<Schema>> & { readonly schema: Schema };
}

const isoDate = z
  .codec(z.iso.datetime({ offset: true }), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .describe('A moment.');

/** Of a query, where everything is text. */
const flagText = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (flag) => (flag ? 'true' : 'false'),
});

const nonEmptyPartial = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .partial()
    .refine((value) => Object.values(value).some((each) => each !== undefined), 'Say at least one of them');

/** What the documentation is told of the age of a property. */
const since = (version: string): Record<string, unknown> => ({ 'x-history': [{ version, state: 'added' }] });

export const PlateKind = z.enum(['negative', 'positive']).describe('Which way round it is.').meta({ id: 'PlateKind' });
export enum Order {
  Ascending = 'asc',
  Descending = 'desc',
}
const OrderChoice = z.enum(Order).meta({ id: 'Order' });

export class IdParameters extends dtoOf(z.object({ id: z.uuidv4().describe('Of the plate.') })) {}
export class LabelParameters extends dtoOf(z.object({ id: z.uuidv4(), key: z.string().min(1).max(20) })) {}

export class ListPlatesDto extends dtoOf(
  z.object({
    kind: PlateKind.optional(),
    isPrinted: flagText.optional().describe('Whether there is a print.'),
    size: z.coerce.number().int().min(1).max(1000).optional().meta(since('v2')),
    takenAfter: isoDate.optional(),
    order: OrderChoice.default(Order.Descending).optional(),
  }),
) {}

const Text = nonEmptyPartial({
  eq: z.string().nullable(),
  in: z.array(z.string()).min(1),
  like: z.string().min(1),
}).meta({ id: 'TextFilter' });
const Rating = nonEmptyPartial({ eq: z.int().nullable(), gte: z.number(), lte: z.number() }).meta({
  id: 'NumberFilter',
});
const Branch = z
  .object({ place: Text, note: Text, rating: Rating, isPrinted: z.object({ eq: z.boolean() }) })
  .partial()
  .meta({ id: 'FilterBranch' });
const Filter = Branch.extend({ or: z.array(Branch).min(1).optional() }).meta({ id: 'Filter' });

export class SearchPlatesDto extends dtoOf(
  z
    .object({
      filter: Filter.optional(),
      text: z.string().trim().min(1).optional().describe('What is to be seen.'),
      rating: z.int().min(1).max(5).nullish().meta(since('v1')),
      page: z.int().min(1).default(1),
    })
    .meta({ id: 'SearchPlatesDto' }),
) {}

const Point = z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) });
const Edit = z.discriminatedUnion('action', [
  z.object({ action: z.literal('crop'), width: z.int().positive(), height: z.int().positive() }),
  z.object({ action: z.literal('turn'), degrees: z.union([z.literal(90), z.literal(180), z.literal(270)]) }),
]);

export class DevelopDto extends dtoOf(
  z.object({
    name: z.string().min(1).max(40),
    kind: PlateKind.default('negative'),
    takenAt: isoDate.nullish(),
    place: Point.optional(),
    edits: z.array(Edit).default([]),
    labels: z.record(z.string(), z.string()).optional(),
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i)
      .optional(),
  }),
) {}

export class ChangePlateDto extends dtoOf(DevelopDto.schema.partial().omit({ edits: true })) {}
export class PlateIdsDto extends dtoOf(z.object({ ids: z.array(z.uuidv4()).min(1) })) {}
export class LabelDto extends dtoOf(z.object({ value: z.json() })) {}
