import type { JsonSchema } from '../../../common/index.js';
import { ANYTHING, ANYTHING_DEFINED, isJsonPrimitive, kindOf, only, type Constraint } from '../constraint.js';
import { atLeast, atMost, defined, type ValidatorRules } from './validator-rule.js';

/** Validators of presence, choice, numbers, objects and arrays, by class-validator's names for them. */
export const COMMON_RULES: ValidatorRules = {
  isDefined: () => ANYTHING_DEFINED,
  isNotEmpty: () => ({ ...ANYTHING_DEFINED, keywords: { string: { minLength: 1 } } }),
  isEmpty: () => ({ ...oneOf(['', null]), acceptsUndefined: true }),
  equals: ([value]) => oneOf([value]),
  notEquals: ([value]) => noneOf([value]),
  isIn: ([values]) => oneOf(listOf(values)),
  isNotIn: ([values]) => noneOf(listOf(values)),
  isEnum: ([entity]) => oneOf(enumValues(entity)),
  isBoolean: () => only('boolean'),

  isNumber: ([options]) => numberRule(options),
  isInt: () => only('number', { type: 'integer' }),
  isPositive: () => only('number', { exclusiveMinimum: 0 }),
  isNegative: () => only('number', { exclusiveMaximum: 0 }),
  min: ([bound]) => only('number', defined<JsonSchema>({ minimum: finite(bound) })),
  max: ([bound]) => only('number', defined<JsonSchema>({ maximum: finite(bound) })),
  isDivisibleBy: ([divisor]) => divisible(divisor),
  isLatitude: () => coordinate(90),
  isLongitude: () => coordinate(180),

  isObject: () => only('object'),
  isNotEmptyObject: ([options]) => notEmptyObject(options),
  isInstance: () => ANYTHING_DEFINED,

  isArray: () => only('array'),
  arrayNotEmpty: () => only('array', { minItems: 1 }),
  arrayMinSize: ([bound]) => only('array', defined<JsonSchema>({ minItems: atLeast(bound) })),
  arrayMaxSize: ([bound]) => only('array', defined<JsonSchema>({ maxItems: atMost(bound) })),
  arrayUnique: () => only('array', { uniqueItems: true }),
  arrayContains: ([values]) => only('array', containsAll(listOf(values))),
  arrayNotContains: ([values]) => only('array', containsNone(listOf(values))),
};

/** The members of an enum. The names that TypeScript maps numbers back to are keys of it, but no members. */
export function enumValues(entity: unknown): unknown[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const members = entity as Record<string, unknown>;
  return Object.keys(members)
    .filter((key) => {
      const value = members[key];
      const mapped = typeof value === 'string' && Object.hasOwn(members, value) ? members[value] : undefined;
      return !(typeof mapped === 'number' && String(mapped) === key);
    })
    .map((key) => members[key]);
}

function oneOf(values: readonly unknown[]): Constraint {
  const usable = values.filter(isJsonPrimitive);
  const acceptsUndefined = values.includes(undefined);
  if (usable.length === 0) return { ...ANYTHING, acceptsUndefined, gaps: ['allows no value that JSON can carry'] };
  return { ...ANYTHING, acceptsUndefined, kinds: [...new Set(usable.map(kindOf))], values: usable };
}

function noneOf(values: readonly unknown[]): Constraint {
  return { ...ANYTHING, acceptsUndefined: !values.includes(undefined), refused: values.filter(isJsonPrimitive) };
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function finite(bound: unknown): number | undefined {
  return typeof bound === 'number' && Number.isFinite(bound) ? bound : undefined;
}

/** The validator divides by the whole part of its divisor. */
function divisible(divisor: unknown): Constraint {
  const whole = typeof divisor === 'number' ? Math.abs(Number.parseInt(String(divisor), 10)) : 0;
  if (whole === 1) return only('number', { type: 'integer' });
  return only('number', whole > 0 ? { multipleOf: whole } : {});
}

function numberRule(options: unknown): Constraint {
  const { maxDecimalPlaces } = (options ?? {}) as { maxDecimalPlaces?: number };
  if (maxDecimalPlaces === undefined) return only('number');
  if (maxDecimalPlaces === 0) return only('number', { type: 'integer' });
  // `multipleOf: 0.01` refuses 0.07: validators of schemas divide in binary floating point.
  const note = `At most ${maxDecimalPlaces} decimal places.`;
  return only(
    'number',
    {},
    { notes: [note], gaps: ['bounds its decimal places, which `multipleOf` cannot do exactly'] },
  );
}

function coordinate(bound: number): Constraint {
  return {
    ...only('number'),
    kinds: ['number', 'string'],
    keywords: { number: { minimum: -bound, maximum: bound } },
    notes: [`Degrees, -${bound} to ${bound}.`],
  };
}

function notEmptyObject(options: unknown): Constraint {
  const { nullable } = (options ?? {}) as { nullable?: boolean };
  const gaps = nullable === false ? ['must hold a value that is not null'] : [];
  return only('object', { minProperties: 1 }, { gaps });
}

function containsAll(values: readonly unknown[]): JsonSchema {
  const required = values.filter(isJsonPrimitive).map((value): JsonSchema => ({ contains: { const: value } }));
  return required.length > 1 ? { allOf: required } : (required[0] ?? {});
}

function containsNone(values: readonly unknown[]): JsonSchema {
  const refused = values.filter(isJsonPrimitive);
  return refused.length > 0 ? { not: { contains: { enum: refused } } } : {};
}
