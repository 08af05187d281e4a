import { only, type Constraint } from '../constraint.js';
import type { ValidatorRules } from './validator-rule.js';

/** What takes a date takes it with or without a time. */
export const DATE_FORMATS: readonly string[] = ['date', 'date-time'];

/**
 * Validators of strings that a `format` names, or nothing but words. A format is an annotation: where the validator lets
 * through more than the format does (a year alone for a date), that value is not refused.
 */
export const FORMAT_RULES: ValidatorRules = {
  isUuid: ([version]) => uuid(version),
  isEmail: ([options]) => format('email', isUnset(options, ['allow_display_name', 'allow_ip_domain'])),
  isFqdn: () => format('hostname'),
  isIp: ([version]) => ip(version),
  isUrl: ([options]) => url(options),
  isIso8601: () => only('string', {}, { formats: DATE_FORMATS }),
  isDateString: () => only('string', {}, { formats: DATE_FORMATS }),
  isRFC3339: () => format('date-time'),
  isJson: () => only('string', { contentMediaType: 'application/json' }, { notes: ['JSON, as text.'] }),
  isBase64: () => only('string', { contentEncoding: 'base64' }),
  // What these compare with is a Date: the text that becomes one is told by the property's own type.
  isDate: () => only('string', {}, { formats: DATE_FORMATS }),
  minDate: ([bound]) => dateBound('Not before', bound),
  maxDate: ([bound]) => dateBound('Not after', bound),
  ...inWords({
    isLowercase: 'Without upper case letters.',
    isUppercase: 'Without lower case letters.',
    isBase32: 'Base32.',
    isBase58: 'Base58.',
    isDataURI: 'A data URI.',
    isMagnetURI: 'A magnet URI.',
    isMimeType: 'A MIME type.',
    isMacAddress: 'A MAC address.',
    isJwt: 'A JSON Web Token.',
    isSemVer: 'A semantic version.',
    isLatLong: '"latitude,longitude", in degrees.',
    isLocale: 'A locale, such as "de_CH".',
    isTimeZone: 'An IANA time zone.',
    isISO6391: 'An ISO 639-1 language code.',
    isISO31661Alpha2: 'An ISO 3166-1 country code of two letters.',
    isISO31661Alpha3: 'An ISO 3166-1 country code of three letters.',
    isISO31661Numeric: 'An ISO 3166-1 country code of three digits.',
    isISO4217CurrencyCode: 'An ISO 4217 currency code.',
    isCurrency: 'An amount of money.',
    isPhoneNumber: 'A phone number.',
    isMobilePhone: 'A mobile phone number.',
    isPostalCode: 'A postal code.',
    isPassportNumber: 'A passport number.',
    isIdentityCard: 'The number of an identity card.',
    isTaxId: 'A tax number.',
    isCreditCard: 'The number of a credit card.',
    isIBAN: 'An IBAN.',
    isBIC: 'A BIC (SWIFT code).',
    isIsin: 'An ISIN.',
    isIsbn: 'An ISBN.',
    isISSN: 'An ISSN.',
    isISRC: 'An ISRC.',
    isEAN: 'An EAN.',
    isEthereumAddress: 'An Ethereum address.',
    isBtcAddress: 'A Bitcoin address.',
    isStrongPassword: 'A strong password.',
    isRgbColor: 'A CSS rgb() colour.',
    isHSL: 'A CSS hsl() colour.',
    isFullWidth: 'With full-width characters.',
    isHalfWidth: 'With half-width characters.',
    isVariableWidth: 'With full-width and half-width characters.',
    isMultibyte: 'With characters beyond ASCII.',
    isSurrogatePair: 'With characters beyond the basic plane.',
  }),
};

function format(name: string, isExact = true): Constraint {
  return isExact ? only('string', {}, { formats: [name] }) : only('string', {}, { notes: [`Of the kind "${name}".`] });
}

function isUnset(options: unknown, keys: readonly string[]): boolean {
  return keys.every((key) => !(options as Record<string, unknown> | undefined)?.[key]);
}

function uuid(version: unknown): Constraint {
  const versions = [version]
    .flat()
    .filter((each) => each !== undefined && each !== null && each !== 'all' && each !== 'loose');
  const notes = versions.length > 0 ? [`UUID version ${versions.join(' or ')}.`] : [];
  return only('string', {}, { formats: ['uuid'], notes });
}

function ip(version: unknown): Constraint {
  const known = version === undefined || version === null || version === '' ? ['4', '6'] : [String(version)];
  return only('string', {}, { formats: known.map((each) => `ipv${each}`) });
}

/** Without `require_protocol`, `example.com` passes, which is no URI. */
function url(options: unknown): Constraint {
  const { require_protocol: hasScheme } = (options ?? {}) as { require_protocol?: boolean };
  return hasScheme ? format('uri') : only('string', {}, { notes: ['A URL.'] });
}

function dateBound(relation: string, bound: unknown): Constraint {
  const date = bound instanceof Date && !Number.isNaN(bound.getTime()) ? bound.toISOString() : undefined;
  return only(
    'string',
    {},
    {
      formats: DATE_FORMATS,
      notes: date === undefined ? [] : [`${relation} ${date}.`],
      gaps: ['bounds a date, which JSON Schema cannot do'],
    },
  );
}

function inWords(words: Readonly<Record<string, string>>): ValidatorRules {
  const rules = Object.entries(words).map(([name, note]) => {
    const constraint = only(
      'string',
      {},
      { notes: [note], gaps: [`is checked by ${name}, which only the description tells`] },
    );
    return [name, () => constraint] as const;
  });
  return Object.fromEntries(rules);
}
