import type { JsonSchema } from '../../../lib/common/index.js';

/** A difference between schema and pipe that is known, and which values it accounts for. */
export interface Reason {
  readonly why: string;
  explains(value: unknown, schema: JsonSchema): boolean;
}

/** Why the schema refuses what the pipe accepts. Each of these is a decision. */
export const DELIBERATE = {
  declared: {
    why: 'TypeScript declares another type than the value has: the handler was not written for it',
    explains: (value, schema) => !kindsOf(schema).includes(kindOf(value)),
  },
  converted: {
    why: '@Type() converts the value: the schema asks for what comes out, not for all that can be made into it',
    explains: (value) => value !== null,
  },
  reverseMapping: {
    why: "class-validator takes the names that a numeric enum maps back to; they are no members of the enum's type",
    explains: (value, schema) => isMappedName(value) || [value].flat().every(isMappedName) || schema.enum === undefined,
  },
  nestedList: {
    why: 'class-validator looks into lists within lists, and into a list where one object is declared',
    explains: (value, schema) =>
      Array.isArray(value) && (value.some(Array.isArray) || !kindsOf(schema).includes('array')),
  },
  discriminator: {
    why: 'an object without a known discriminator is taken for the base class: the schema tells the sub-types',
    explains: (value) =>
      [value].flat().every((each) => !['circle', 'square'].includes((each as { kind: string }).kind)),
  },
  notLookedInto: {
    why: 'nested without @Type(): the pipe does not look into it; the declared class is told, and a gap reported',
    explains: (value) => typeof value === 'object' && value !== null,
  },
  unknownKey: {
    why: 'a key that no property of a class declares is refused by name, in nested objects as well',
    explains: (value) => typeof value === 'object' && value !== null && Object.keys(value).some((key) => key !== 'sku'),
  },
  variationSelector: {
    why: 'class-validator does not count variation selectors as characters, JSON Schema does',
    explains: (value) => typeof value === 'string' && /[\uFE0E\uFE0F]/.test(value),
  },
  magnitude: {
    why: 'validators of schemas divide in floating point, and are wrong from 1e21 on',
    explains: (value) => typeof value === 'number' && Math.abs(value) >= 1e21,
  },
  constructorKey: {
    why: 'class-transformer drops a key of the name "constructor"',
    explains: (value) => typeof value === 'object' && value !== null && Object.hasOwn(value, 'constructor'),
  },
} satisfies Record<string, Reason>;

/** Why the schema accepts what the pipe refuses without a gap being reported: the pipe is the judge. */
export const LOSSY = {
  format: {
    why: 'a format or a media type is an annotation',
    explains: (value, schema) =>
      typeof value === 'string' && /"format"|"content|A URL|Of the kind/.test(JSON.stringify(schema)),
  },
  invalidDate: {
    why: 'not every text is a date',
    explains: (value) => typeof value === 'string' && Number.isNaN(new Date(value).getTime()),
  },
  textForm: {
    why: 'the pattern is wider than what the validator computes of the text',
    explains: (value) => typeof value === 'string',
  },
  variationSelector: DELIBERATE.variationSelector,
  magnitude: DELIBERATE.magnitude,
  exponent: {
    why: 'the validator reads the text of a number, and has no exponents in it',
    explains: (value) => typeof value === 'number' && String(value).includes('e'),
  },
  identifier: {
    why: 'a function of the application says which items are the same',
    explains: (value) => Array.isArray(value),
  },
  constructorKey: DELIBERATE.constructorKey,
  sibling: {
    why: 'another property decides how this one is read',
    explains: () => true,
  },
} satisfies Record<string, Reason>;

export type DeliberateReason = keyof typeof DELIBERATE;
export type LossyReason = keyof typeof LOSSY;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function kindsOf(schema: JsonSchema): string[] {
  if (schema.$ref !== undefined) return ['object'];
  const own = [schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type));
  return [...own, ...(schema.anyOf ?? []).flatMap(kindsOf)];
}

function isMappedName(value: unknown): boolean {
  return ['Low', 'High', 'Off', 'Minus'].includes(value as string);
}
