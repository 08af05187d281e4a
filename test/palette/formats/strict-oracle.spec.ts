import { afterEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  getPaletteToken,
  OperationsModule,
  operationsUnder,
  type JsonSchema,
  type Palette,
  type ToolInputSchema,
} from 'nestjs-palette';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { schemaOfClass, SchemaContext } from '../../../lib/operations/schema/index.js';
import { mapSchema } from '../../../lib/palette/formats/map-schema.js';
import { strictSchema } from '../../../lib/palette/formats/strict/strict-schema.js';
import { dropOptionalNulls } from '../../../lib/dispatch/arguments/drop-optional-nulls.js';
import { AppModule } from '../../../sample/00-query-agent/app.module.js';
import type { OracleCase } from '../../operations/oracle/oracle-case.js';
import { PRESENCE_CASES } from '../../operations/oracle/presence-cases.js';
import { SCALAR_CASES } from '../../operations/oracle/scalar-cases.js';
import { STRUCTURE_CASES } from '../../operations/oracle/structure-cases.js';
import { bootApplication, closeApplications } from '../../support/application.js';
import { argumentsOf } from './strict-arguments.js';
import { strictFaults } from './strict-rules.js';

const CASES: readonly (readonly [string, OracleCase])[] = [...SCALAR_CASES, ...PRESENCE_CASES, ...STRUCTURE_CASES].map(
  (each) => [each.type.name, each] as const,
);

function documentOf({ type }: OracleCase): JsonSchema {
  const context = new SchemaContext();
  return { ...schemaOfClass(type, context), $defs: { ...context.definitions } };
}

function strictOf(document: JsonSchema, nullMeansAbsent: boolean): JsonSchema | undefined {
  const strict = strictSchema(document, { nullMeansAbsent });
  return 'schema' in strict ? strict.schema : undefined;
}

const compile = (schema: JsonSchema) => new Ajv2020({ strict: true, validateFormats: false }).compile(schema);
const compileLoosely = (schema: JsonSchema) => new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

const ONLY_IN_WORDS: readonly string[] = [
  ...['minLength', 'maxLength', 'uniqueItems', 'contains', 'not', 'minProperties', 'maxProperties', 'propertyNames'],
];

/** The schema without what a strict one can only tell in words. */
function withoutWords(document: JsonSchema): JsonSchema {
  return mapSchema(document, (schema) => {
    const { allOf, ...rest } = Object.fromEntries(
      Object.entries(schema).filter(([keyword]) => !ONLY_IN_WORDS.includes(keyword)),
    ) as JsonSchema;
    const others = allOf?.map(({ pattern: _second, ...each }) => each);
    return others === undefined ? rest : { ...rest, allOf: others };
  });
}

function expectStrict(schema: JsonSchema): void {
  expect(strictFaults(schema)).toEqual([]);
  compile(schema);
  // The package's own conversion has nothing to object to and nothing to add.
  expect(toStrictJsonSchema(structuredClone(schema) as never)).toEqual(schema);
}

describe('the strict form of many awkward classes', () => {
  it.each(CASES)('is by the documented rules, or is none: %s', (_name, each) => {
    const strict = [true, false].map((nullMeansAbsent) => strictOf(documentOf(each), nullMeansAbsent));
    strict.filter((schema) => schema !== undefined).forEach(expectStrict);
    // What null means can only make more of them strict.
    expect(strict[1] === undefined || strict[0] !== undefined).toBe(true);
  });

  it('is there for most of them', () => {
    const strict = CASES.filter(([, each]) => strictOf(documentOf(each), true) !== undefined);
    expect(strict.length).toBeGreaterThan(30);
  });

  it.each(CASES.filter(([, each]) => strictOf(documentOf(each), true) !== undefined))(
    'lets a model write nothing that %s does not have, once the nulls are left out',
    (_name, each) => {
      const document = documentOf(each);
      const strict = strictOf(document, true) as JsonSchema;
      const isStrict = compile(strict);
      const isFit = compileLoosely(withoutWords(document));
      fc.assert(
        fc.property(argumentsOf(strict), (args) => {
          expect([args, isStrict(args)]).toEqual([args, true]);
          const meant = dropOptionalNulls(args, { schema: document, nullMeansAbsent: true });
          expect([meant, isFit(meant), isFit.errors]).toEqual([meant, true, null]);
        }),
        { numRuns: 40, seed: 3 },
      );
    },
  );

  it.each(CASES.filter(([, each]) => strictOf(documentOf(each), true) !== undefined))(
    'takes a %s that the application accepts, with nulls for what it leaves out',
    (_name, each) => {
      const document = documentOf(each);
      const strict = strictOf(document, true) as JsonSchema;
      const written = withNulls(each.base, strict, strict);
      const isStrict = compile(strict);
      expect([written, isStrict(written), isStrict.errors]).toEqual([written, true, null]);
      expect(dropOptionalNulls(written as never, { schema: document, nullMeansAbsent: true })).toEqual(each.base);
    },
  );
});

/** The value as a model writes it in strict mode. */
function withNulls(value: unknown, schema: JsonSchema, document: JsonSchema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.$ref !== undefined) return withNulls(value, document.$defs?.[schema.$ref.slice(8)] ?? {}, document);
  if (schema.anyOf !== undefined) {
    const written = schema.anyOf.map((branch) => withNulls(value, branch, document));
    const fits = schema.anyOf.map((branch) => compile({ ...branch, $defs: document.$defs ?? {} }));
    return written.find((each, index) => fits[index]?.(each));
  }
  if (Array.isArray(value)) return value.map((item) => withNulls(item, (schema.items ?? {}) as JsonSchema, document));
  const given = Object.entries(value);
  const inner = (name: string): JsonSchema => schema.properties?.[name] ?? {};
  const all = Object.keys(schema.properties ?? {}).map((name) => [name, null] as const);
  return {
    ...Object.fromEntries(all),
    ...Object.fromEntries(given.map(([name, each]) => [name, withNulls(each, inner(name), document)])),
  };
}

describe('the strict form of the tools of sample 00', () => {
  afterEach(closeApplications);

  async function sample(nullMeansAbsent: boolean): Promise<Palette> {
    const app = await bootApplication('express', {
      imports: [
        AppModule.register({ acknowledgeDataEgress: true }),
        OperationsModule.forFeature({
          palettes: [{ name: 'all', include: [operationsUnder('')], nullMeansAbsent }],
        }),
      ],
    });
    return app.get<Palette>(getPaletteToken('all'), { strict: false });
  }

  it('is by the documented rules for lists, and none for aggregates, whose aliases are free', async () => {
    const palette = await sample(true);
    const strict = palette.toOpenAI({ strict: true }).map((tool) => tool.function);
    expect(strict.map((each) => [each.name, each.strict])).toEqual([
      ['notes__list', true],
      ['notes__aggregate', false],
      ['films__list', true],
      ['films__aggregate', false],
    ]);
    strict.filter((each) => each.strict).forEach((each) => expectStrict(each.parameters));
    expect([...palette.strictObstacles.keys()]).toEqual(['notes__aggregate', 'films__aggregate']);
    const plain = palette.toOpenAI().map((tool) => tool.function.parameters);
    const fallbacks = strict.filter((each) => !each.strict).map((each): ToolInputSchema => each.parameters);
    expect(fallbacks).toEqual([plain[1], plain[3]]);
  });

  it('is none while a null is a condition of its own: a field that a model leaves out would have to be null', async () => {
    const palette = await sample(false);
    expect(palette.toOpenAI({ strict: true }).map((tool) => tool.function.strict)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(palette.strictObstacles.get('notes__list')?.join(' ')).toMatch(/category may be left out and may be null/);
  });
});
