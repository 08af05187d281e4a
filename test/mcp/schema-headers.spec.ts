import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation, type JsonSchema } from 'nestjs-palette';
import { declareInput, type SchemaContext } from '../../lib/operations/index.js';
import { closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';
import { bootForStdio, connectOverPipes, openPipes } from './support/stdio.js';

/** What a body is said to be; definitions go into the context. */
type Told = (context: SchemaContext) => JsonSchema;

/** A parameter decorator as a plugin may have it: what is told of the body is its own. */
function ToldBody(schema: Told): ParameterDecorator {
  return (prototype, method, index) => {
    Body()(prototype, method, index);
    declareInput(prototype, method as string, index, { source: 'body', schema });
  };
}

/** A controller of one operation, `asking.ask`, that takes such a body. */
function controllerOf(schema: Told) {
  @Controller('asking')
  class AskingController {
    @Operation({ description: 'Asks.' })
    @Post()
    @HttpCode(200)
    ask(@ToldBody(schema) body: unknown): unknown {
      return body;
    }
  }
  return AskingController;
}

const property = (region: JsonSchema): JsonSchema => ({ type: 'object', properties: { region } });
const asking = { type: 'string', 'x-mcp-header': 'Region' } as JsonSchema;
const text: JsonSchema = { type: 'string' };
/** With keywords that this library does not write, and others do. */
const foreign = (schema: object): JsonSchema => schema;

/** Where a schema may stand within another. */
const PLACES: readonly (readonly [string, (inner: JsonSchema, context: SchemaContext) => JsonSchema])[] = [
  ['a property', (inner) => property(inner)],
  ['a property of a property', (inner) => property(property(inner))],
  ['properties of a pattern', (inner) => property({ type: 'object', patternProperties: { '^x': inner } })],
  ['properties without a name', (inner) => property({ type: 'object', additionalProperties: inner })],
  ['items', (inner) => property({ type: 'array', items: property(inner) })],
  ['the first items', (inner) => property({ type: 'array', prefixItems: [text, inner] })],
  ['one of several', (inner) => property({ anyOf: [{ type: 'null' }, { allOf: [inner] }] })],
  ['what must not fit', (inner) => property({ not: { ...inner, type: 'number' } })],
  ['a condition', (inner) => property(foreign({ if: text, then: inner }))],
  [
    'a definition within a definition',
    (inner, context) => {
      const region = (): JsonSchema => context.define(asking, 'Region', () => property(inner));
      return property(context.define(PLACES, 'Place', () => property(region())));
    },
  ],
  [
    'a property that is called as a keyword is',
    (inner) => property({ type: 'object', properties: { default: inner } }),
  ],
  [
    'a definition that is called as a keyword is',
    (inner, context) => property(context.define(asking, 'examples', () => inner)),
  ],
  [
    'a pattern that is called as a keyword is',
    (inner) => property({ type: 'object', patternProperties: { const: inner } }),
  ],
  [
    'what depends on another property',
    (inner) => property(foreign({ ...property(text), dependentSchemas: { enum: property(inner) } })),
  ],
];

/** Ways to serve a palette: each gives what calls `asking.ask`, or refuses to boot. */
const SURFACES = [
  [
    'HTTP',
    async (platform: Platform, schema: Told) => {
      const { url } = await serve(platform, { controllers: [controllerOf(schema)] });
      return connect(CLIENTS[0], url);
    },
  ],
  [
    'stdio',
    async (platform: Platform, schema: Told) => {
      const app = await bootForStdio(platform, { controllers: [controllerOf(schema)] });
      return connectOverPipes(CLIENTS[0], openPipes(app));
    },
  ],
] as const;

describe.each(PLATFORMS)('a schema that asks clients to repeat an argument in a header, on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(SURFACES)('over %s', (_name, open) => {
    it.each(PLACES)('keeps the palette from being served where it asks in %s', async (_what, within) => {
      const error = await catchError(() => open(platform, (context) => within(asking, context)));
      expect(error).toMatchObject({ code: 'mcp_schema_header' });
      expect(error.message.match(/\S+ has a schema with "x-mcp-header"/g)).toEqual([
        'asking.ask has a schema with "x-mcp-header"',
      ]);
    });

    it.each(PLACES)('is none where nothing is asked in %s', async (_what, within) => {
      const { tools } = await open(platform, (context) => within(text, context));
      expect((await tools()).map(({ name }) => name)).toEqual(['asking__ask']);
    });

    it('is none where a property or a value is merely called so', async () => {
      const header = { 'x-mcp-header': 'Region' };
      const like: JsonSchema = { type: 'object', default: header, examples: [header], const: header };
      const told: JsonSchema = { type: 'object', properties: { 'x-mcp-header': text, like } };
      const { call } = await open(platform, () => told);
      expect((await call('asking__ask', header)).structured).toEqual(header);
    });
  });

  it('is told of for every operation at once', async () => {
    @Controller('others')
    class OthersController {
      @Operation() @Post('one') one(@ToldBody(() => property(asking)) body: unknown): unknown {
        return body;
      }
      @Operation() @Get('none') none(): object {
        return {};
      }
      @Operation() @Post('two') two(@ToldBody(() => property(property(asking))) body: unknown): unknown {
        return body;
      }
    }
    const error = await catchError(() => serve(platform, { controllers: [OthersController] }));
    expect(error.message.match(/\S+ has a schema with "x-mcp-header"/g)).toEqual([
      'others.one has a schema with "x-mcp-header"',
      'others.two has a schema with "x-mcp-header"',
    ]);
  });
});
