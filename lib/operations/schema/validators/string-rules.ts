import type { JsonSchema } from '../../../common/index.js';
import { only, type Constraint } from '../constraint.js';
import { expressionOf, literalPattern, schemaPattern } from './regular-expression.js';
import { atLeast, atMost, defined, type ValidatorRules } from './validator-rule.js';

/** Validators of strings that a keyword can carry, by class-validator's names for them. */
export const STRING_RULES: ValidatorRules = {
  isString: () => only('string'),
  minLength: ([min]) => length(min, undefined),
  maxLength: ([max]) => length(0, max),
  isLength: ([min, max]) => length(min, max),
  isByteLength: ([min, max]) => byteLength(min, max),
  contains: ([seed]) => containing(seed, (pattern) => ({ pattern })),
  notContains: ([seed]) => containing(seed, (pattern) => ({ not: { pattern } })),
  matches: ([pattern, flags]) => matching(expressionOf(pattern, flags)),

  isBooleanString: () => only('string', {}, { values: ['true', 'false', '1', '0'] }),
  isNumberString: ([options]) => numberString(options),
  isDecimal: ([options]) => decimal(options),
  isAlpha: ([locale]) => localPattern(locale, '^[A-Za-z]+$', 'letters'),
  isAlphanumeric: ([locale]) => localPattern(locale, '^[0-9A-Za-z]+$', 'letters and digits'),
  isAscii: () => pattern(String.raw`^[\x00-\x7F]+$`),
  isHexadecimal: () => pattern('^(0[xXhH])?[0-9A-Fa-f]+$'),
  isHexColor: () => pattern('^#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'),
  isOctal: () => pattern('^(0[oO])?[0-7]+$'),
  isMongoId: () => pattern('^([0-9A-Fa-f]{24}|0[xXhH][0-9A-Fa-f]{22})$'),
  isMilitaryTime: () => pattern('^([01][0-9]|2[0-3]):?[0-5][0-9]$'),
  IsFirebasePushId: () => pattern('^[a-zA-Z0-9_-]{20}$'),
  isHash: ([algorithm]) => hash(algorithm),
  isPort: () => only('string', { pattern: '^[-+]?(0|[1-9][0-9]{0,4})$' }, { notes: ['A port, 0 to 65535.'] }),
};

function pattern(text: string): Constraint {
  return only('string', { pattern: text });
}

function length(min: unknown, max: unknown): Constraint {
  return only('string', defined<JsonSchema>({ minLength: atLeast(min), maxLength: atMost(max) }));
}

/** A character takes 1 to 4 bytes. */
function byteLength(min: unknown, max: unknown): Constraint {
  const fewest = atLeast(min);
  const minLength = fewest === undefined ? undefined : Math.ceil(fewest / 4);
  const range = [`at least ${fewest ?? 0}`, ...(atMost(max) === undefined ? [] : [`at most ${atMost(max)}`])];
  return only('string', defined<JsonSchema>({ minLength, maxLength: atMost(max) }), {
    notes: [`In UTF-8 ${range.join(' and ')} bytes.`],
    gaps: ['bounds its length in bytes; JSON Schema counts characters'],
  });
}

function containing(seed: unknown, keywords: (pattern: string) => JsonSchema): Constraint {
  if (typeof seed === 'string' && seed.isWellFormed()) return only('string', keywords(literalPattern(seed)));
  return only('string', {}, { gaps: ['looks for a text that a pattern cannot carry'] });
}

function matching(expression: RegExp | undefined): Constraint {
  if (expression === undefined) return only('string', {}, { gaps: ['is matched against no regular expression'] });
  const text = schemaPattern(expression);
  if (text !== undefined) return pattern(text);
  return only(
    'string',
    {},
    {
      notes: [`Must match ${String(expression)}.`],
      gaps: [`is matched against ${String(expression)}, which JSON Schema cannot carry; the description tells it`],
    },
  );
}

function numberString(options: unknown): Constraint {
  const { no_symbols: hasNoSymbols, locale } = (options ?? {}) as { no_symbols?: boolean; locale?: string };
  if (hasNoSymbols) return pattern('^[0-9]+$');
  return localPattern(locale, '^[+-]?([0-9]*[.])?[0-9]+$', 'a number');
}

function decimal(options: unknown): Constraint {
  if (options === undefined || options === null) return pattern(String.raw`^[-+]?([0-9]+(\.[0-9]+)?|\.[0-9]+)$`);
  return only(
    'string',
    {},
    { notes: ['A decimal number.'], gaps: ['is a decimal number of a form that no pattern tells'] },
  );
}

function localPattern(locale: unknown, english: string, what: string): Constraint {
  if (locale === undefined || locale === null || locale === 'en-US') return pattern(english);
  const place = `${what}, locale ${JSON.stringify(locale)}`;
  return only('string', {}, { notes: [`Must hold ${place}.`], gaps: [`must hold ${place}, which no pattern tells`] });
}

const HASH_LENGTHS: Readonly<Record<string, number>> = {
  md5: 32,
  md4: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  ripemd128: 32,
  ripemd160: 40,
  tiger128: 32,
  tiger160: 40,
  tiger192: 48,
  crc32: 8,
  crc32b: 8,
};

function hash(algorithm: unknown): Constraint {
  const digits = typeof algorithm === 'string' && Object.hasOwn(HASH_LENGTHS, algorithm) ? HASH_LENGTHS[algorithm] : 0;
  return digits ? pattern(`^[a-fA-F0-9]{${digits}}$`) : only('string', {}, { gaps: ['is a hash of an unknown kind'] });
}
