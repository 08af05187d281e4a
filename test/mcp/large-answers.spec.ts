import { Controller, Get, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation, type JsonSchema } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

let sent = 0;

@Controller('letters')
class LettersController {
  @Operation({ name: 'send' }) @Post() send(): object {
    sent++;
    return { copy: 'x'.repeat(2_000) };
  }
  @Operation({ name: 'read' }) @Get() read(): object {
    return { copy: 'x'.repeat(2_000) };
  }
}

const SCHEMA: JsonSchema = { type: 'object', properties: { copy: { type: 'string' } }, required: ['copy'] };

describe.each(PLATFORMS)('an answer that is too large, over MCP on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('to %s', (kind) => {
    const calling = async (name: string, hasSchema: boolean, maxResultBytes: number) => {
      sent = 0;
      const outputSchemas: Record<string, JsonSchema> = hasSchema ? { send: SCHEMA, read: SCHEMA } : {};
      const options = { dispatch: { maxResultBytes }, mcp: { outputSchemas } };
      const { url } = await serve(platform, { controllers: [LettersController] }, options);
      const client = await connect(kind, url);
      await client.tools();
      return client.call(name);
    };

    it.each([false, true])('of what acted says that it ran, be there a schema of answers (%s)', async (hasSchema) => {
      const { isError, text, structured } = await calling('send', hasSchema, 1_000);
      const message =
        'The call has run. Its result is larger than 1000 bytes and was left out. Do not repeat the call.';
      const told = { code: 'tool_result_omitted', message };
      expect(JSON.parse(text)).toEqual(told);
      // Where answers have a schema, only an error may be without one of them.
      expect([isError, structured]).toEqual(hasSchema ? [true, undefined] : [false, told]);
      expect(sent).toBe(1);
    });

    it.each([false, true])('of what reads is refused, be there a schema of answers (%s)', async (hasSchema) => {
      expect(await calling('read', hasSchema, 1_000)).toMatchObject({ isError: true, code: 'tool_result_too_large' });
    });

    it.each([false, true])('and one that is not is given, be there a schema of answers (%s)', async (hasSchema) => {
      const { isError, structured } = await calling('send', hasSchema, 10_000);
      expect([isError, structured]).toEqual([false, { copy: 'x'.repeat(2_000) }]);
    });
  });
});
