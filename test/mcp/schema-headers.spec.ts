import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation, type JsonSchema } from 'nestjs-palette';
import { declareInput } from '../../lib/operations/index.js';
import { closeApplications } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { serve } from './support/applications.js';
import { closeClients, connect } from './support/clients.js';

/** A parameter decorator as a plugin may have it: what is told of the body is its own. */
function ToldBody(properties: Record<string, JsonSchema>): ParameterDecorator {
  return (prototype, method, index) => {
    Body()(prototype, method, index);
    declareInput(prototype, method as string, index, {
      source: 'body',
      schema: () => ({ type: 'object', properties }),
    });
  };
}

const asking = { type: 'string', 'x-mcp-header': 'Region' } as JsonSchema;

@Controller('asking')
class AskingController {
  @Operation({ description: 'Asks.' })
  @Post('flat')
  @HttpCode(200)
  flat(@ToldBody({ region: asking }) body: unknown): unknown {
    return body;
  }

  @Operation({ description: 'Asks deep within.' })
  @Post('deep')
  @HttpCode(200)
  deep(@ToldBody({ rows: { type: 'array', items: { anyOf: [{ type: 'null' }, asking] } } }) body: unknown): unknown {
    return body;
  }
}

@Controller('named')
class NamedController {
  @Operation({ description: 'Has a property of that name, and speaks of it in values.' })
  @Post()
  @HttpCode(200)
  named(
    @ToldBody({
      'x-mcp-header': { type: 'string' },
      like: { type: 'object', default: { 'x-mcp-header': 'Region' }, examples: [{ 'x-mcp-header': 'Region' }] },
    })
    body: unknown,
  ): unknown {
    return body;
  }
}

describe('a schema that asks clients to repeat an argument in a header', () => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  it('keeps the application from booting, wherever it asks', async () => {
    const error = await catchError(() => serve('express', { controllers: [AskingController, NamedController] }));
    expect(error).toMatchObject({ code: 'mcp_schema_header' });
    expect(error.message.match(/\S+ has a schema with "x-mcp-header"/g)).toEqual([
      'asking.flat has a schema with "x-mcp-header"',
      'asking.deep has a schema with "x-mcp-header"',
    ]);
  });

  it('is none where a property or a value is merely called so', async () => {
    const { url } = await serve('express', { controllers: [NamedController] });
    const { call } = await connect('2026-07-28, client 2', url);
    expect(await call('named__named', { 'x-mcp-header': 'Region' })).toMatchObject({
      structured: { 'x-mcp-header': 'Region' },
    });
  });
});
