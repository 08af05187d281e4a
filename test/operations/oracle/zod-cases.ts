import { z } from 'zod';

type LooserReason =
  /** The boot report tells. */
  | 'reported'
  /** Formats annotate: zod is the one that checks them. */
  | 'format'
  /** What comes in is told, not what can be made of it. */
  | 'codec'
  /** Integers beyond those that are exact. */
  | 'magnitude'
  /** Alternatives that exclude one another are told as alternatives. */
  | 'alternatives';

export interface ZodCase {
  readonly name: string;
  readonly schema: z.ZodType;
  /** Where the schema tells of one kind what zod makes of several: `z.coerce.number()` takes `'5'`. */
  readonly isCoerced?: boolean;
  /** Values beside the pool. */
  readonly values?: readonly unknown[];
  /** Whether something of it is in the boot report. Default: where that is why it is looser. */
  readonly isReported?: boolean;
  /** Why the schema takes what zod refuses. */
  readonly looser?: LooserReason;
}

const Node: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(Node).optional();
  },
});
const Address = z.object({ city: z.string().min(1) }).meta({ id: 'Address', title: 'An address', 'x-since': 'v1' });
enum Level {
  Low,
  High,
}
const always = (): boolean => true;

export const ZOD_CASES: readonly ZodCase[] = [
  { name: 'string', schema: z.string() },
  { name: 'bounded string', schema: z.string().min(2).max(4), values: ['', 'a', 'ab', 'abcd', 'abcde'] },
  {
    name: 'trimmed string',
    schema: z.string().trim().min(2).max(3),
    values: ['  ab ', ' a ', 'abcd'],
    looser: 'reported',
  },
  {
    name: 'lower-cased pattern',
    schema: z
      .string()
      .toLowerCase()
      .regex(/^[a-z]+$/),
    values: ['AB'],
    looser: 'reported',
  },
  { name: 'pattern', schema: z.string().regex(/^[a-c]+$/), values: ['abc', 'abd'] },
  { name: 'pattern with flags', schema: z.string().regex(/^[a-c]+$/i), values: ['ABC', 'abd'], looser: 'reported' },
  {
    name: 'pattern beside one with flags',
    schema: z.string().regex(/a/i).regex(/b/),
    values: ['Ab', 'AB'],
    looser: 'reported',
  },
  {
    name: 'pattern that is none under u',
    schema: z.string().regex(/^[\w-.]+\_$/),
    values: ['a_', '.-_', 'a'],
    looser: 'reported',
  },
  { name: 'parts', schema: z.string().startsWith('a').includes('b').endsWith('c'), values: ['abc', 'a\nb\nc', 'ac'] },
  {
    name: 'part from a place on',
    schema: z.string().includes('b', { position: 2 }),
    values: ['aaab', 'aab', 'b'],
    looser: 'reported',
  },
  { name: 'cases', schema: z.string().lowercase(), values: ['a', 'A'] },
  { name: 'e-mail', schema: z.email(), values: ['a@b.co', 'a'] },
  { name: 'uuid', looser: 'format', schema: z.uuid(), values: ['f47ac10b-58cc-4372-a567-0e02b2c3d479', 'f47ac10b'] },
  { name: 'url', schema: z.url(), values: ['https://example.com/a', 'no url'], looser: 'format' },
  { name: 'ipv4', schema: z.ipv4(), values: ['127.0.0.1', '1.2.3'] },
  { name: 'ipv6', schema: z.ipv6(), values: ['::1', '::ffff:1.2.3.4', '1::2::3'], looser: 'format' },
  { name: 'cidrv6', schema: z.cidrv6(), values: ['::/0', '2001:db8::/32', '1.2.3.4/8'], looser: 'format' },
  { name: 'base64', schema: z.base64(), values: ['YQ==', 'YWI', 'a b'] },
  { name: 'jwt', schema: z.jwt(), values: ['a.b.c'], looser: 'format' },
  { name: 'iso date', looser: 'format', schema: z.iso.date(), values: ['2024-02-29', '2023-02-29'] },
  {
    name: 'iso datetime',
    looser: 'format',
    schema: z.iso.datetime({ offset: true }),
    values: ['2024-02-29T10:00:00+01:00', '2024'],
  },
  { name: 'template', schema: z.templateLiteral(['v', z.number()]), values: ['v1', 'v', 'x1'] },
  { name: 'stringbool', schema: z.stringbool(), values: ['true', 'no', 'maybe'], looser: 'codec' },
  { name: 'number', schema: z.number() },
  { name: 'bounded number', schema: z.number().min(1).lt(5), values: [1, 4.9, 5] },
  { name: 'integer', looser: 'magnitude', schema: z.int().positive(), values: [0, 1, 1.5] },
  { name: 'int32', schema: z.int32(), values: [2 ** 31, 2 ** 31 - 1] },
  { name: 'multiple', schema: z.number().multipleOf(5), values: [10, 11] },
  { name: 'multiple of a fraction', schema: z.number().multipleOf(0.1), values: [0.3, 0.35], looser: 'reported' },
  { name: 'coerced number', looser: 'magnitude', schema: z.coerce.number().int().min(1), isCoerced: true },
  { name: 'coerced boolean', schema: z.coerce.boolean(), isCoerced: true },
  { name: 'coerced string', schema: z.coerce.string().max(3), isCoerced: true },
  { name: 'coerced date', schema: z.coerce.date(), isCoerced: true, values: ['2024-02-29'], looser: 'format' },
  { name: 'boolean', schema: z.boolean() },
  { name: 'null', schema: z.null() },
  { name: 'nullable', schema: z.string().nullable() },
  {
    name: 'nullish object',
    schema: z.object({ a: z.int().nullish() }),
    values: [{}, { a: null }, { a: 1 }, { a: 'x' }],
  },
  { name: 'literal', schema: z.literal(['a', 3, null]), values: ['a', 3, null, 'b'] },
  { name: 'literal or nothing', schema: z.literal(['a', undefined]), values: ['a', 'b'] },
  { name: 'enum', schema: z.enum(['a', 'b']), values: ['a', 'c'] },
  { name: 'numeric enum', schema: z.enum(Level), values: [0, 1, 2, 'Low'] },
  { name: 'any', schema: z.object({ a: z.any() }), values: [{}, { a: 1 }] },
  { name: 'unknown', schema: z.unknown() },
  { name: 'never', schema: z.object({ a: z.never().optional() }), values: [{}, { a: 1 }] },
  { name: 'array', schema: z.array(z.string()).min(1).max(2), values: [[], ['a'], ['a', 'b', 'c'], [1]] },
  { name: 'tuple', schema: z.tuple([z.string(), z.number()]), values: [['a', 1], ['a'], ['a', 1, 2]] },
  { name: 'tuple with rest', schema: z.tuple([z.string()]).rest(z.boolean()), values: [['a', true], ['a', 1], []] },
  {
    name: 'object',
    schema: z.object({ a: z.string(), b: z.number().optional() }),
    values: [{ a: 'x' }, { b: 1 }, { a: 'x', c: 1 }],
  },
  { name: 'strict object', schema: z.strictObject({ a: z.string() }), values: [{ a: 'x' }, { a: 'x', c: 1 }] },
  { name: 'loose object', schema: z.looseObject({ a: z.string() }), values: [{ a: 'x', c: 1 }] },
  {
    name: 'catchall',
    schema: z.object({ a: z.string() }).catchall(z.number()),
    values: [
      { a: 'x', c: 1 },
      { a: 'x', c: 'y' },
    ],
  },
  { name: 'partial', schema: z.object({ a: z.string(), b: z.string() }).partial(), values: [{}, { a: 'x' }, { a: 1 }] },
  {
    name: 'nested',
    schema: z.object({ a: z.object({ b: z.array(z.object({ c: z.int() })) }) }),
    values: [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 'x' }] } }],
  },
  { name: 'record', schema: z.record(z.string(), z.number()), values: [{ a: 1 }, { a: 'x' }] },
  {
    name: 'record of an enum',
    schema: z.record(z.enum(['a', 'b']), z.number()),
    values: [{ a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2, c: 3 }],
  },
  { name: 'partial record', schema: z.partialRecord(z.enum(['a', 'b']), z.number()), values: [{ a: 1 }, {}, { c: 3 }] },
  { name: 'record of a pattern', schema: z.record(z.string().regex(/^x/), z.number()), values: [{ xa: 1 }, { a: 1 }] },
  { name: 'record of numbers', schema: z.record(z.number(), z.number()), values: [{ 1: 1 }, { a: 1 }] },
  { name: 'union', schema: z.union([z.string(), z.number()]) },
  {
    name: 'discriminated union',
    schema: z.discriminatedUnion('t', [
      z.object({ t: z.literal('a'), x: z.string() }),
      z.object({ t: z.literal('b') }),
    ]),
    values: [{ t: 'a', x: 'y' }, { t: 'a' }, { t: 'b' }, { t: 'c' }],
  },
  {
    name: 'exclusive union',
    schema: z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    values: [{ a: 'x' }, { a: 'x', b: 'y' }, {}],
    looser: 'alternatives',
  },
  {
    name: 'union opened by a preprocess',
    schema: z.union([z.object({ a: z.preprocess(String, z.string()) }), z.object({ b: z.string() })]),
    values: [{ a: 1 }, { b: 'x' }, { a: 1, b: 'x' }],
    isReported: true,
  },
  {
    name: 'intersection',
    schema: z.object({ a: z.string() }).and(z.object({ b: z.string() })),
    values: [{ a: 'x', b: 'y' }, { a: 'x' }],
  },
  {
    name: 'intersection of strict objects',
    schema: z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() })),
    values: [
      { a: 'x', b: 'y' },
      { a: 'x', b: 'y', c: 1 },
    ],
  },
  {
    name: 'intersection of refined strict objects',
    schema: z
      .strictObject({ a: z.string() })
      .refine(always)
      .and(z.strictObject({ b: z.string() })),
    values: [{ a: 'x', b: 'y' }],
    isReported: true,
  },
  {
    name: 'intersection with a union',
    schema: z.object({ a: z.string() }).and(z.union([z.object({ b: z.string() }), z.object({ c: z.string() })])),
    values: [{ a: 'x', b: 'y' }, { a: 'x' }],
  },
  { name: 'default', schema: z.object({ a: z.string().default('x') }), values: [{}, { a: 'y' }, { a: 1 }] },
  { name: 'prefault', schema: z.object({ a: z.string().min(2).prefault('xx') }), values: [{}, { a: 'y' }] },
  {
    name: 'catch',
    isReported: true,
    schema: z.object({ a: z.int().min(2).catch(3) }),
    values: [{}, { a: 'y' }, { a: 1 }],
  },
  {
    name: 'preprocess',
    schema: z.object({
      a: z.preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(z.string()).min(2)),
    }),
    values: [{ a: 'x,y' }, { a: ['x', 'y'] }, { a: 'x' }],
    looser: 'reported',
  },
  {
    name: 'preprocess of what is absent',
    schema: z.object({ a: z.preprocess((v) => v ?? 1, z.number()) }),
    values: [{}, { a: 2 }],
    isReported: true,
  },
  {
    name: 'transform',
    schema: z
      .string()
      .min(2)
      .transform((text) => text.length),
    values: ['a', 'ab'],
  },
  {
    name: 'transform of anything',
    isReported: true,
    schema: z.object({ a: z.transform(String) }),
    values: [{}, { a: 1 }],
  },
  {
    name: 'pipe',
    schema: z.string().transform(Number).pipe(z.number().min(2)),
    values: ['1', '2'],
    looser: 'reported',
  },
  {
    name: 'codec',
    looser: 'format',
    schema: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
    values: ['2024-02-29T10:00:00Z', '2024'],
  },
  { name: 'refined', schema: z.string().refine((text) => text !== 'no'), values: ['no', 'yes'], looser: 'reported' },
  {
    name: 'refined object',
    schema: z.object({ a: z.string(), b: z.string() }).refine(({ a, b }) => a === b),
    values: [
      { a: 'x', b: 'x' },
      { a: 'x', b: 'y' },
    ],
    looser: 'reported',
  },
  { name: 'lazy', schema: z.lazy(() => z.object({ a: z.string() })), values: [{ a: 'x' }, {}] },
  {
    name: 'recursive',
    schema: Node,
    values: [
      { name: 'a', children: [{ name: 'b' }] },
      { name: 'a', children: [{}] },
    ],
  },
  {
    name: 'recursive within',
    schema: z.object({ node: Node, other: Node }),
    values: [
      { node: { name: 'a' }, other: { name: 'b' } },
      { node: {}, other: {} },
    ],
  },
  {
    name: 'shared by its id',
    schema: z.object({ home: Address, work: Address.optional() }),
    values: [{ home: { city: 'x' } }, { home: { city: '' } }],
  },
  { name: 'json', schema: z.json() },
  { name: 'readonly', schema: z.object({ a: z.array(z.string()).readonly() }), values: [{ a: ['x'] }, { a: [1] }] },
  { name: 'nonoptional', schema: z.object({ a: z.string().optional().nonoptional() }), values: [{}, { a: 'x' }] },
  { name: 'custom', schema: z.object({ a: z.custom(always) }), values: [{ a: 1 }], isReported: true },
  { name: 'bigint', schema: z.coerce.bigint(), values: ['5', 5], looser: 'reported' },
  { name: 'date', schema: z.date(), looser: 'reported' },
  { name: 'map', schema: z.map(z.string(), z.string()), looser: 'reported' },
  { name: 'file', schema: z.file(), looser: 'reported' },
];
