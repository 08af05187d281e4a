import { ValidationPipe, type Type, type ValidationPipeOptions } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../lib/common/index.js';
import { schemaOfClass, SchemaContext, type ValidationView } from '../../lib/operations/schema/index.js';
import type { OracleCase } from './oracle/oracle-case.js';
import { PRESENCE_CASES } from './oracle/presence-cases.js';
import { DELIBERATE, LOSSY, type DeliberateReason, type Reason } from './oracle/reasons.js';
import { SCALAR_CASES } from './oracle/scalar-cases.js';
import { STRUCTURE_CASES } from './oracle/structure-cases.js';
import { VALUE_POOL } from './oracle/value-pool.js';

const CASES: readonly (readonly [string, OracleCase])[] = [...SCALAR_CASES, ...PRESENCE_CASES, ...STRUCTURE_CASES].map(
  (each) => [each.type.name, each] as const,
);

const ABSENT = Symbol('absent');

interface Judged {
  readonly schema: JsonSchema;
  readonly validate: ValidateFunction;
  readonly gaps: ReadonlySet<string>;
}

function judge({ type }: OracleCase, view: ValidationView = {}): Judged {
  const context = new SchemaContext(view);
  const schema = schemaOfClass(type, context);
  // Formats are annotations. Strict mode refuses unknown keywords, keywords beside a type they do not bear on, and
  // references that lead nowhere.
  const ajv = new Ajv2020({ strict: true, validateFormats: false, ownProperties: true });
  const validate = ajv.compile({ ...schema, $defs: context.definitions });
  return { schema, validate, gaps: new Set(context.gaps.map((gap) => gap.at)) };
}

const PLAIN_PIPE = new ValidationPipe();

async function isAccepted(type: Type<unknown>, payload: unknown, pipe = PLAIN_PIPE): Promise<boolean> {
  try {
    // Validation may change what it is given; JSON is what a request would hand to it.
    await pipe.transform(JSON.parse(JSON.stringify(payload)), { type: 'body', metatype: type });
    return true;
  } catch {
    return false;
  }
}

function payloadsOf(
  each: OracleCase,
  property: string,
  pool: readonly unknown[],
): [unknown, Record<string, unknown>][] {
  return [ABSENT, ...pool, ...(each.values?.[property] ?? [])].map((value) => {
    const { [property]: _replaced, ...rest } = each.base;
    return [value, value === ABSENT ? rest : { ...rest, [property]: value }];
  });
}

describe('a schema and the ValidationPipe that judges the same payload', () => {
  it('are compared over many awkward classes', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(40);
    expect(new Set(CASES.map(([name]) => name)).size).toBe(CASES.length);
  });

  it.each(CASES)(
    'agree on a valid %s, and on one with an unknown key but for the refusal of it',
    async (_name, each) => {
      const { validate } = judge(each);
      const withUnknown = { ...each.base, unknownKey: 1 };
      expect(await isAccepted(each.type, each.base)).toBe(true);
      expect(validate(each.base)).toBe(true);
      expect(await isAccepted(each.type, withUnknown)).toBe(true);
      expect(validate(withUnknown)).toBe(false);
      for (const key of each.dropped ?? []) {
        expect(await isAccepted(each.type, { ...each.base, [key]: 'text' })).toBe(true);
        expect(validate({ ...each.base, [key]: 'text' })).toBe(false);
      }
    },
  );

  it.each(CASES)('agree on every property of %s, but for what is written down', async (_name, each) => {
    const { schema, validate, gaps } = judge(each);
    const unexplained: string[] = [];
    const unused = new Set([...listed('stricter', each.stricter), ...listed('looser', each.looser)]);
    for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
      for (const [value, payload] of payloadsOf(each, property, VALUE_POOL)) {
        const byPipe = await isAccepted(each.type, payload);
        if (byPipe === validate(payload)) continue;
        const side = byPipe ? 'stricter' : 'looser';
        const reasons: Record<string, Reason> = byPipe ? DELIBERATE : LOSSY;
        const names: readonly string[] = (byPipe ? each.stricter : each.looser)?.[property] ?? [];
        const explaining = names.filter((name) => reasons[name]?.explains(value, propertySchema));
        explaining.forEach((name) => unused.delete(`${side} ${property} ${name}`));
        const isReported = !byPipe && gaps.has(`${each.type.name}.${property}`);
        if (explaining.length === 0 && !isReported) {
          unexplained.push(`${side} ${property}: ${String(JSON.stringify(value))}`);
        }
      }
    }
    expect({ unexplained, unused: [...unused] }).toEqual({ unexplained: [], unused: [] });
  });

  it.each(CASES)('do not depend on whether the pipe transforms and strips: %s', async (_name, each) => {
    const strippingPipe = new ValidationPipe({ transform: true, whitelist: true });
    for (const property of Object.keys(each.values ?? {})) {
      for (const [, payload] of payloadsOf(each, property, [])) {
        expect(await isAccepted(each.type, payload, strippingPipe)).toBe(await isAccepted(each.type, payload));
      }
    }
  });
});

const VIEWS: readonly (ValidationView & ValidationPipeOptions)[] = [
  { groups: ['create'] },
  { groups: ['update'] },
  { groups: ['create'], always: true },
  { strictGroups: true },
  { skipMissingProperties: true },
  { skipUndefinedProperties: true },
  { skipNullProperties: true },
];

describe('a schema that is told the options of the pipe', () => {
  const names = ['Grouped', 'Presence', 'Optionals', 'Nested', 'Texts'];
  const cases = CASES.filter(([name]) => names.includes(name));
  const table = VIEWS.flatMap((view) => cases.map(([name, each]) => [name, JSON.stringify(view), view, each] as const));

  it.each(table)('refuses nothing of a %s that the pipe with %s accepts', async (_name, _options, view, each) => {
    const { schema, validate } = judge(each, view as ValidationView);
    const pipe = new ValidationPipe(view as ValidationPipeOptions);
    const stricter: string[] = [];
    expect(validate(each.base)).toBe(true);
    for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
      for (const [value, payload] of payloadsOf(each, property, VALUE_POOL)) {
        if (validate(payload) || !(await isAccepted(each.type, payload, pipe))) continue;
        const reasons: readonly DeliberateReason[] = ['declared', 'unknownKey', ...(each.stricter?.[property] ?? [])];
        if (!reasons.some((name) => (DELIBERATE[name] as Reason).explains(value, propertySchema))) {
          stricter.push(`${property}: ${String(JSON.stringify(value))}`);
        }
      }
    }
    expect(stricter).toEqual([]);
  });
});

function listed(side: string, reasons: Readonly<Record<string, readonly string[]>> = {}): string[] {
  return Object.entries(reasons).flatMap(([property, names]) => names.map((name) => `${side} ${property} ${name}`));
}
