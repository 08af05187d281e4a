import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ListQueryBody, Operation, QueryPolicy, type JsonSchema, type ListQuery } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { usePipes } from '../dispatch/notes-application.js';
import { SERVER_INFO, serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';
import { INITIALIZE, LEGACY_HEADERS, messageIn, rawRequest, send } from './support/raw.js';

class SumDto {
  @IsInt() @Max(100) left!: number;
  @IsOptional() @IsString() note?: string;
}

@QueryPolicy<RowRead>({ filterable: ['title'], sortable: [], aggregatable: [] })
class RowRead {
  @IsString() title!: string;
}

@Controller('rows')
class RowsController {
  @Operation({ kind: 'query' })
  @Post()
  @HttpCode(200)
  list(@ListQueryBody(RowRead) _query: ListQuery<RowRead>): RowRead[] {
    return [];
  }
}

@Controller('numbers')
class NumbersController {
  @Operation({ kind: 'query', description: 'Add numbers.' })
  @Post('sum')
  @HttpCode(200)
  sum(@Body() { left }: SumDto): unknown {
    return { sum: left };
  }
}

/** JSON of every kind, which not every platform makes of what a handler returns. */
@Controller('values')
class ValuesController {
  @Operation() @Get('object') object(): object {
    return { a: 1 };
  }
  @Operation() @Get('array') array(): unknown[] {
    return [1, 'a'];
  }
  @Operation() @Get('string') @Header('content-type', 'application/json') string(): string {
    return '"some"';
  }
  @Operation() @Get('number') @Header('content-type', 'application/json') number(): string {
    return '7';
  }
  @Operation() @Get('nil') @Header('content-type', 'application/json') nil(): string {
    return 'null';
  }
}

const VALUES = { object: { a: 1 }, array: [1, 'a'], string: 'some', number: 7, nil: null };
const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'values.object': { type: 'object', properties: { a: { type: 'integer' } } },
  'values.array': { type: 'array' },
  'values.string': { type: 'string' },
  'values.number': { type: 'number' },
  'values.nil': { type: 'null' },
};

describe.each(PLATFORMS)('what a server tells over MCP on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    const isModern = kind.startsWith('2026');

    it('of a tool: this, and nothing more', async () => {
      const outputSchemas: Record<string, JsonSchema> = {
        'numbers.sum': { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] },
      };
      const application = { controllers: [NumbersController] };
      const { url } = await serve(platform, application, { configure: usePipes, mcp: { outputSchemas } });
      expect(await (await connect(kind, url)).tools()).toEqual([
        {
          name: 'numbers__sum',
          title: 'numbers.sum',
          description: 'Add numbers.',
          inputSchema: {
            type: 'object',
            properties: { left: { type: 'integer', maximum: 100 }, note: { type: ['string', 'null'] } },
            required: ['left'],
            additionalProperties: false,
          },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
          outputSchema: outputSchemas['numbers.sum'],
        },
      ]);
    });

    it('of values: each as the JSON that it is, in an object where its era knows nothing else', async () => {
      const { url } = await serve(platform, { controllers: [ValuesController] });
      const { tools, call } = await connect(kind, url);
      await tools();
      for (const [name, value] of Object.entries(VALUES)) {
        const isText = typeof value === 'string';
        const wrapped = isModern || name === 'object' ? value : { result: value };
        expect([name, await call(`values__${name}`)]).toEqual([
          name,
          // Text without a schema is text, and no JSON.
          { isError: false, text: isText ? value : JSON.stringify(value), structured: isText ? undefined : wrapped },
        ]);
      }
    });

    it('of values that a schema was given for: the same, under a schema that it fits', async () => {
      const { url } = await serve(platform, { controllers: [ValuesController] }, { mcp: { outputSchemas: SCHEMAS } });
      const { tools, call } = await connect(kind, url);
      const schemas = new Map((await tools()).map(({ name, outputSchema }) => [name, outputSchema]));
      for (const [name, value] of Object.entries(VALUES)) {
        const schema = SCHEMAS[`values.${name}`];
        const isWrapped = !isModern && name !== 'object';
        const wrapped = { type: 'object', properties: { result: schema }, required: ['result'] };
        expect([name, schemas.get(`values__${name}`)]).toEqual([name, isWrapped ? wrapped : schema]);
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        expect([name, await call(`values__${name}`)]).toEqual([
          name,
          { isError: false, text, structured: isWrapped ? { result: value } : value },
        ]);
      }
    });

    it.each([
      ['tools alone', [NumbersController], { tools: {} }],
      ['queries as well', [NumbersController, RowsController], { tools: {}, resources: {}, prompts: {} }],
    ])('of what it can do: %s', async (_what, controllers, capabilities) => {
      const { url } = await serve(platform, { controllers });
      const { client } = await connect(kind, url);
      expect(client.getServerCapabilities()).toEqual(capabilities);
    });
  });

  it.each([
    ['tools alone', [NumbersController], { tools: {} }],
    ['queries as well', [RowsController], { tools: {}, resources: {}, prompts: {} }],
  ])('of itself, word for word: %s', async (_what, controllers, capabilities) => {
    const { base } = await serve(platform, { controllers }, { mcp: { instructions: 'Ask.' } });
    const opened = messageIn(await send(base, { headers: { ...LEGACY_HEADERS }, body: INITIALIZE }));
    const told = { capabilities, instructions: 'Ask.' };
    expect(opened.result).toEqual({ protocolVersion: '2025-11-25', serverInfo: SERVER_INFO, ...told });
    const discovered = messageIn(await send(base, rawRequest('2026-07-28', 'server/discover')));
    expect(discovered.result).toEqual({
      supportedVersions: ['2026-07-28'],
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
      ...told,
    });
  });
});
