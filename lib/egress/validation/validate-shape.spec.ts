import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsObject, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import type { EgressShape } from '../declaration/egress-shape.js';
import type { StandardIssue } from '../declaration/standard-schema.js';
import { validateArguments, validateReply } from './validate-shape.js';

class Usage {
  @IsInt() tokens!: number;
}

class Sample {
  @IsString() @MaxLength(5) title!: string;
  @IsOptional() @ValidateNested() @Type(() => Usage) usage?: Usage;
  @IsOptional() @IsObject() free?: object;
}

class Mapped {
  @IsOptional() @IsInt() @Expose({ name: 'max_tokens' }) maxTokens?: number;
  @IsOptional() @IsDate() @Type(() => Date) at?: Date;
  @IsOptional() @IsString() @Exclude({ toPlainOnly: true }) internal?: string;
  @IsOptional() @IsString() mode?: string = 'fast';
}

class Cat {
  @IsString() name!: string;
}

class Home {
  @ValidateNested()
  @Type(() => Cat, { discriminator: { property: 'kind', subTypes: [{ value: Cat, name: 'cat' }] } })
  pet!: Cat;
}

function schema(validate: (value: unknown) => unknown): EgressShape {
  return { '~standard': { version: 1, vendor: 'test', validate: (value) => validate(value) as { value: unknown } } };
}

describe('arguments', () => {
  it('yields what goes on the wire', async () => {
    const free = JSON.parse('{"constructor":1,"__proto__":{"a":1},"toString":[{"valueOf":2}],"plain":null}') as object;
    const result = await validateArguments(Sample, { title: 'a', usage: { tokens: 1 }, free });
    expect(JSON.stringify(result)).toBe(
      '{"value":{"title":"a","usage":{"tokens":1},"free":{"plain":null,"constructor":1,"__proto__":{"a":1},"toString":[{"valueOf":2}]}}}',
    );
  });

  it('applies names, defaults, exclusions and dates of class-transformer', async () => {
    const result = await validateArguments(Mapped, { maxTokens: 5, at: new Date(0), internal: 'x' });
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      value: { max_tokens: 5, at: '1970-01-01T00:00:00.000Z', mode: 'fast' },
    });
  });

  it('leaves the caller its own object', async () => {
    const args = { pet: { kind: 'cat', name: 'Tom' } };
    await expect(validateArguments(Home, args)).resolves.toHaveProperty('value');
    expect(args).toEqual({ pet: { kind: 'cat', name: 'Tom' } });
  });

  it.each([
    [{ title: 'secret-value' }, 'title', ['maxLength']],
    [{ title: 1 }, 'title', ['maxLength', 'isString']],
    [{ title: 'a', usage: { tokens: 'secret-value' } }, 'usage.tokens', ['isInt']],
    [{ title: 'a', extra: 'secret-value' }, 'extra', ['whitelistValidation']],
    [{ title: 'a', usage: { tokens: 1, extra: 'secret-value' } }, 'usage.extra', ['whitelistValidation']],
    [JSON.parse('{"title":"a","constructor":"secret-value"}'), 'constructor', ['whitelistValidation']],
    [JSON.parse('{"title":"a","__proto__":{"a":"secret-value"}}'), '__proto__', ['whitelistValidation']],
    ['secret-value', '', ['isObject']],
    [['secret-value'], '', ['isObject']],
    [null, '', ['isObject']],
    [undefined, '', ['isObject']],
  ])('refuses %j by property and constraint, without the value', async (args, property, constraints) => {
    const result = await validateArguments(Sample, args);
    expect(result).toEqual({ faults: [{ property, constraints }] });
  });

  it('says little, whatever it is given', async () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`\u001b${'x'.repeat(500)}${index}`, 1]),
    );
    const result = await validateArguments(Sample, hostile);
    const faults = 'faults' in result ? result.faults : [];
    expect(faults).toHaveLength(20);
    expect(faults.every(({ property }) => property.length <= 100 && !property.includes('\u001b'))).toBe(true);
  });

  it('takes only an empty object where none are declared', async () => {
    await expect(validateArguments(undefined, {})).resolves.toEqual({ value: {} });
    await expect(validateArguments(undefined, undefined)).resolves.toEqual({ value: {} });
    await expect(validateArguments(undefined, { a: 1 })).resolves.toHaveProperty('faults');
    await expect(validateArguments(undefined, 'x')).resolves.toHaveProperty('faults');
  });
});

describe('a DTO that is given as an instance', () => {
  it('may hold what class-transformer would trip over', async () => {
    const args = Object.assign(new Sample(), { title: 'a', free: { constructor: { prototype: null } } });
    const result = await validateArguments(Sample, args);
    expect(JSON.stringify(result)).toBe('{"value":{"title":"a","free":{"constructor":{"prototype":null}}}}');
  });
});

class Throwing {
  @IsString()
  @Transform(() => {
    throw new Error('secret-value');
  })
  name!: string;
}

describe('a transformation that throws', () => {
  it('refuses', async () => {
    const refused = { faults: [{ property: '', constraints: ['transform'] }] };
    await expect(validateReply(Throwing, { name: 'a' })).resolves.toEqual(refused);
  });
});

describe('a Standard Schema', () => {
  it('yields its output, also asynchronously', async () => {
    const doubled = schema((value) => Promise.resolve({ value: Number(value) * 2 }));
    await expect(validateArguments(doubled, 2)).resolves.toEqual({ value: 4 });
    await expect(validateReply(doubled, 3)).resolves.toEqual({ value: 6 });
  });

  it('is quoted by path and code, never by message', async () => {
    const issues: (StandardIssue & { code?: unknown; type?: unknown })[] = [
      { message: 'got "secret-value"', path: ['usage', { key: 'tokens' }], code: 'invalid_type' },
      { message: 'got "secret-value"', path: [0], type: 'min_value' },
      { message: 'got "secret-value"', code: 'secret value with spaces' },
    ];
    const refusing = schema(() => ({ issues }));
    await expect(validateReply(refusing, {})).resolves.toEqual({
      faults: [
        { property: 'usage.tokens', constraints: ['invalid_type'] },
        { property: '0', constraints: ['min_value'] },
        { property: '', constraints: ['invalid'] },
      ],
    });
  });

  it('refuses also with an empty list of issues', async () => {
    await expect(
      validateReply(
        schema(() => ({ issues: [] })),
        {},
      ),
    ).resolves.toHaveProperty('faults');
  });
});

describe('a reply', () => {
  it('becomes an instance, keeps what is not declared, and loses no key of free JSON', async () => {
    const json = JSON.parse('{"title":"a","usage":{"tokens":1},"extra":true,"free":{"constructor":{"a":1}}}') as object;
    const { value } = (await validateReply(Sample, json)) as { value: Sample };
    expect(value).toBeInstanceOf(Sample);
    expect(value.usage).toBeInstanceOf(Usage);
    expect(JSON.parse(JSON.stringify(value))).toEqual(json);
  });

  it('reads exposed names', async () => {
    const { value } = (await validateReply(Mapped, { max_tokens: 7 })) as { value: Mapped };
    expect(value.maxTokens).toBe(7);
  });

  it('is refused where it does not fit', async () => {
    await expect(validateReply(Sample, { title: 5 })).resolves.toHaveProperty('faults');
    await expect(validateReply(Sample, [])).resolves.toHaveProperty('faults');
  });
});
