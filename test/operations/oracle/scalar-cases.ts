import { Type } from 'class-transformer';
import {
  Contains,
  Equals,
  IsAlpha,
  IsAlphanumeric,
  IsAscii,
  IsBase64,
  IsBIC,
  IsBoolean,
  IsBooleanString,
  IsByteLength,
  IsCreditCard,
  IsDate,
  IsDateString,
  IsDecimal,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEmpty,
  IsEnum,
  IsFirebasePushId,
  IsFQDN,
  IsHash,
  IsHexadecimal,
  IsHexColor,
  IsIBAN,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsJSON,
  IsLatitude,
  IsLongitude,
  IsLowercase,
  IsMilitaryTime,
  IsMobilePhone,
  IsMongoId,
  IsNegative,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsNumberString,
  IsOctal,
  IsOptional,
  IsPhoneNumber,
  IsPort,
  IsPositive,
  IsRFC3339,
  IsSemVer,
  IsString,
  IsStrongPassword,
  IsTimeZone,
  IsUppercase,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxDate,
  MaxLength,
  Min,
  MinDate,
  MinLength,
  NotContains,
  NotEquals,
} from 'class-validator';
import { oracleCase, type OracleCase } from './oracle-case.js';

class Texts {
  @IsString() any!: string;
  @MinLength(2) min!: string;
  @MaxLength(3) max!: string;
  @Length(2, 4) between!: string;
  @IsString() @MinLength(1) @MaxLength(2) both!: string;
  @MinLength(1.5) fractional!: string;
  @MaxLength(Infinity) endless!: string;
}

class Bytes {
  @IsByteLength(2, 5) some!: string;
  @IsByteLength(3) atLeast!: string;
}

class Patterns {
  @Matches(/^[a-z]+$/) plain!: string;
  @Matches(/b/g) global!: string;
  @Matches(/^[a-z]+$/i) caseless!: string;
  @Matches(/^a.c$/s) dotAll!: string;
  @Matches(/^b$/m) multiline!: string;
  @Matches(/^\p{L}+$/u) unicode!: string;
  @Matches(/^[\w\-\.\_]+\@\w+$/) escaped!: string;
  @Matches('^x', 'i') text!: string;
  @Matches(/a{,2}|]/) notUnicode!: string;
  @Matches(/^a/) @Matches(/z$/) two!: string;
}

class Substrings {
  @Contains('a.b') dotted!: string;
  @NotContains('x') without!: string;
  @NotContains('x') @NotContains('y') withoutBoth!: string;
  @Contains('(') bracket!: string;
}

class Numbers {
  @IsNumber() any!: number;
  @IsNumber({ allowNaN: true, allowInfinity: true }) odd!: number;
  @IsNumber({ maxDecimalPlaces: 2 }) money!: number;
  @IsNumber({ maxDecimalPlaces: 0 }) whole!: number;
  @IsInt() int!: number;
  @Min(1) min!: number;
  @Max(2) max!: number;
  @IsInt() @Min(-1) @Max(3) range!: number;
  @IsPositive() positive!: number;
  @IsNegative() negative!: number;
  @IsDivisibleBy(3) third!: number;
  @IsDivisibleBy(1.5) oddDivisor!: number;
  @Min(-Infinity) unbounded!: number;
}

class Booleans {
  @IsBoolean() plain!: boolean;
  @IsBooleanString() text!: string;
}

class NumberTexts {
  @IsNumberString() plain!: string;
  @IsNumberString({ no_symbols: true }) digits!: string;
  @IsNumberString({ locale: 'de-DE' }) german!: string;
  @IsDecimal() decimal!: string;
  @IsDecimal({ decimal_digits: '2' }) cents!: string;
  @IsPort() port!: string;
  @IsOctal() octal!: string;
  @IsHexadecimal() hex!: string;
}

class Coordinates {
  @IsLatitude() latitude!: number;
  @IsLongitude() longitude!: string;
  @IsLatitude() either!: number | string;
}

class Formats {
  @IsUUID() uuid!: string;
  @IsUUID('4') uuid4!: string;
  @IsUUID('loose') loose!: string;
  @IsEmail() email!: string;
  @IsEmail({ allow_display_name: true }) named!: string;
  @IsUrl() url!: string;
  @IsUrl({ require_protocol: true }) uri!: string;
  @IsFQDN() host!: string;
  @IsIP() ip!: string;
  @IsIP(4) ip4!: string;
  @IsIP('6') ip6!: string;
  @IsJSON() json!: string;
  @IsBase64() base64!: string;
}

class Codes {
  @IsIBAN() iban!: string;
  @IsBIC() bic!: string;
  @IsCreditCard() card!: string;
  @IsPhoneNumber() phone!: string;
  @IsMobilePhone() mobile!: string;
  @IsSemVer() version!: string;
  @IsTimeZone() zone!: string;
  @IsStrongPassword() password!: string;
  @IsLowercase() lower!: string;
  @IsUppercase() upper!: string;
}

class Alphabets {
  @IsAlpha() letters!: string;
  @IsAlpha('de-DE') german!: string;
  @IsAlphanumeric() letterDigits!: string;
  @IsAscii() ascii!: string;
  @IsHexColor() colour!: string;
  @IsMongoId() mongo!: string;
  @IsMilitaryTime() time!: string;
  @IsFirebasePushId() push!: string;
  @IsHash('md5') md5!: string;
}

class Dates {
  @IsDateString() text!: string;
  @IsISO8601({ strict: true }) strict!: string;
  @IsRFC3339() rfc!: string;
  @IsDate() @Type(() => Date) converted!: Date;
  @Type(() => Date) unchecked!: Date;
  @MinDate(new Date('2020-01-01')) @Type(() => Date) after!: Date;
  @MaxDate(() => new Date('2030-01-01')) @Type(() => Date) before!: Date;
}

class DateWithoutType {
  @IsDateString() text!: string;
  @IsOptional() @IsDate() never?: Date;
}

class Presence {
  @IsDefined() defined!: unknown;
  @IsNotEmpty() notEmpty!: string;
  @IsNotEmpty() notEmptyAny!: unknown;
  @IsEmpty() empty!: unknown;
  @IsEmpty() emptyText!: string;
}

class Constants {
  @Equals('a') one!: string;
  @Equals(1) oneNumber!: number;
  @Equals(null) nothing!: null;
  @NotEquals('a') notA!: string;
  @NotEquals(null) notNull!: unknown;
  @NotEquals('a') @NotEquals('abc') neither!: string;
  @Equals(undefined) absent!: undefined;
}

class Choices {
  @IsIn(['a', 'b']) letters!: string;
  @IsIn(['a', null]) orNull!: string | null;
  @IsIn(['a', 1, true]) mixed!: unknown;
  @IsIn(['a', undefined]) orAbsent!: string;
  @IsNotIn(['a', 1]) notThose!: unknown;
  @IsIn([{ a: 1 }, 'a']) withObject!: unknown;
  @IsIn(['a', 'abc']) @Length(3) longOnes!: string;
}

enum Colour {
  Red = 'red',
  Green = 'GREEN',
}

enum Level {
  Low,
  High = 5,
}

enum Mixed {
  Off = 0,
  On = 'on',
}

enum Odd {
  '3D' = '3d',
  Minus = -1,
  Half = 1.5,
}

const SHAPES = { Round: 'round', Square: 'square' } as const;

class Enums {
  @IsEnum(Colour) colour!: Colour;
  @IsEnum(Level) level!: Level;
  @IsEnum(Mixed) mixed!: Mixed;
  @IsEnum(Odd) odd!: Odd;
  @IsEnum(SHAPES) shape!: string;
  @IsEnum(['a', 'b']) list!: string;
  @IsEnum(Level) anyLevel!: unknown;
}

export const SCALAR_CASES: readonly OracleCase[] = [
  oracleCase(
    Texts,
    { any: 'a', min: 'ab', max: 'abc', between: 'abc', both: 'a', fractional: 'ab', endless: '' },
    {
      stricter: { between: ['variationSelector'] },
      looser: { min: ['variationSelector'], between: ['variationSelector'], fractional: ['variationSelector'] },
    },
  ),
  oracleCase(Bytes, { some: 'abc', atLeast: 'abc' }, { values: { some: ['é', 'ééé', '😀😀'], atLeast: ['é', '😀'] } }),
  oracleCase(
    Patterns,
    {
      plain: 'abc',
      global: 'abc',
      caseless: 'AbC',
      dotAll: 'a\nc',
      multiline: 'a\nb\nc',
      unicode: 'äöü',
      escaped: 'a.b-c_d@e',
      text: 'X',
      notUnicode: ']',
      two: 'az',
    },
    { values: { escaped: ['a@b', 'a b@c'], two: ['a', 'z', 'abz'], multiline: ['b', 'a'], text: ['x', 'y'] } },
  ),
  oracleCase(
    Substrings,
    { dotted: 'xa.by', without: 'abc', withoutBoth: 'abc', bracket: 'f(' },
    { values: { dotted: ['aXb', 'a.b'], without: ['x', 'axb'], withoutBoth: ['x', 'y'] } },
  ),
  oracleCase(
    Numbers,
    {
      ...{ any: 1.5, odd: 1, money: 1.25, whole: 2, int: 1, min: 1, max: 2, range: 0, positive: 0.1, negative: -1 },
      ...{ third: 3, oddDivisor: 4, unbounded: -1e300 },
    },
    {
      values: { money: [0.07, 0.07000001, 1.1, 19.99, 1e-7], third: [9, 10, -3, 3e20, 3e21] },
      stricter: { third: ['magnitude'] },
      looser: { third: ['magnitude'] },
    },
  ),
  oracleCase(Booleans, { plain: true, text: 'true' }, { values: { text: ['0', 'yes'] } }),
  oracleCase(
    NumberTexts,
    { plain: '1', digits: '12', german: '1,5', decimal: '1.5', cents: '1.50', port: '80', octal: '0o17', hex: '0xFF' },
    {
      values: {
        plain: ['+1', '-1.5', '.5', '1.', '1e5', '1,5'],
        decimal: ['.5', '1.', '-', '+1', '-.5'],
        port: ['+80', '65536', '080', '99999'],
        hex: ['0h1', 'xyz', '0x'],
        octal: ['8', '0O7'],
      },
      looser: { port: ['textForm'] },
    },
  ),
  oracleCase(
    Coordinates,
    { latitude: 47.5, longitude: '8.5', either: 1 },
    {
      values: { latitude: [90, 90.1, -91, '12'], longitude: ['181', '180'], either: ['89', 91] },
      stricter: { latitude: ['declared'], longitude: ['declared'] },
      looser: { latitude: ['exponent'], longitude: ['textForm'], either: ['textForm', 'exponent'] },
    },
  ),
  oracleCase(
    Formats,
    {
      uuid: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
      uuid4: '8c0f7f4e-5d3e-4c1a-9b2d-3f4a5b6c7d8e',
      loose: '1b4e28ba-2fa1-91d2-083f-0016d3cca427',
      email: 'a@example.com',
      named: 'Some Body <a@example.com>',
      url: 'example.com',
      uri: 'https://example.com/a?b=c',
      host: 'example.com',
      ip: '127.0.0.1',
      ip4: '127.0.0.1',
      ip6: '::1',
      json: '{"a":1}',
      base64: 'YWJj',
    },
    {
      values: { email: ['ä@example.com', 'a'], url: ['http://example.com'], ip6: ['fe80::1%eth0'], base64: ['', 'a'] },
      looser: {
        uuid: ['format'],
        uuid4: ['format'],
        loose: ['format'],
        email: ['format'],
        named: ['format'],
        url: ['format'],
        uri: ['format'],
        host: ['format'],
        ip: ['format'],
        ip4: ['format'],
        ip6: ['format'],
        json: ['format'],
        base64: ['format'],
      },
    },
  ),
  oracleCase(Codes, {
    iban: 'GB82WEST12345698765432',
    bic: 'DEUTDEFF',
    card: '4111111111111111',
    phone: '+41446681800',
    mobile: '+41791234567',
    version: '1.2.3-rc.1',
    zone: 'Europe/Zurich',
    password: 'aB3$aB3$',
    lower: 'abc',
    upper: 'ABC',
  }),
  oracleCase(
    Alphabets,
    {
      letters: 'aZ',
      german: 'äÖß',
      letterDigits: 'a1',
      ascii: 'a~\t',
      colour: '#abc',
      mongo: '507f1f77bcf86cd799439011',
      time: '23:59',
      push: '-JhLeOlGIEjaIOFHR0xd',
      md5: 'd41d8cd98f00b204e9800998ecf8427e',
    },
    {
      values: {
        colour: ['abc', '#12345', '#12345678', 'FFFF'],
        mongo: ['0x7f1f77bcf86cd79943901a'],
        time: ['2359', '24:00'],
      },
    },
  ),
  oracleCase(
    Dates,
    {
      text: '2024-01-31',
      strict: '2024-01-31T10:00:00Z',
      rfc: '2024-01-31 10:00:00+01:00',
      converted: '2024-01-31',
      unchecked: '2024-01-31T10:00:00.000Z',
      after: '2024-01-31',
      before: '2024-01-31',
    },
    {
      values: {
        text: ['2024-W05', '2024-031', '20240131', '2024-01-31T10'],
        after: ['2019-12-31'],
        before: ['2031-01-01'],
      },
      stricter: { converted: ['converted'], before: ['converted'], unchecked: ['converted'] },
      looser: { text: ['format'], strict: ['format'], rfc: ['format'], converted: ['invalidDate'] },
    },
  ),
  oracleCase(DateWithoutType, { text: '2024-01-31' }, { looser: { text: ['format'] } }),
  oracleCase(
    Presence,
    { defined: 1, notEmpty: 'a', notEmptyAny: 0, empty: '', emptyText: '' },
    { stricter: { notEmpty: ['declared'] } },
  ),
  oracleCase(
    Constants,
    { one: 'a', oneNumber: 1, nothing: null, notA: 'b', notNull: 1, neither: 'b' },
    { stricter: { notA: ['declared'], neither: ['declared'] } },
  ),
  oracleCase(
    Choices,
    { letters: 'a', orNull: null, mixed: 1, notThose: 'b', withObject: 'a', longOnes: 'abc' },
    { values: { withObject: [{ a: 1 }] } },
  ),
  oracleCase(
    Enums,
    { colour: 'red', level: 5, mixed: 'on', odd: '3d', shape: 'round', list: 'b', anyLevel: 0 },
    {
      values: {
        colour: ['Red', 'GREEN', 'Green'],
        level: [0, 'Low', 'High', '0', 1],
        mixed: [0, 'Off', 'On'],
        odd: ['3D', -1, 1.5, 'Minus'],
        shape: ['Round'],
        anyLevel: ['Low'],
      },
      stricter: {
        level: ['reverseMapping'],
        mixed: ['reverseMapping'],
        odd: ['reverseMapping'],
        anyLevel: ['reverseMapping'],
      },
    },
  ),
];
