import {
  Body,
  Catch,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  NotFoundException,
  Post,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { catchError } from '../support/catch-error.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve } from '../mcp/support/applications.js';
import { CLIENTS, closeClients, connect } from '../mcp/support/clients.js';

// A tool that failed was an error of the protocol, which the model never saw, or an error result with structured content,
// which clients held against the tool's output schema and hid. https://github.com/modelcontextprotocol/typescript-sdk/issues/654

class NoteDto {
  @IsString() @MaxLength(5) title!: string;
  @IsInt() priority!: number;
}

const SECRET = 'relation "users" does not exist at postgres://app:hunter2@db';

@Controller('failing')
class FailingController {
  @Operation() @Post() create(@Body() note: NoteDto): NoteDto {
    return note;
  }
  @Operation() @Get('forbidden') forbidden(): void {
    throw new ForbiddenException('Only for editors.');
  }
  @Operation() @Get('missing') missing(): void {
    throw new NotFoundException('No such note.');
  }
  @Operation() @Get('broken') broken(): void {
    throw new Error(SECRET);
  }
  @Operation() @Get('conflict') conflict(): void {
    throw new HttpException({ code: 'note_locked', message: 'Locked by Ada.', details: { by: 'ada' } }, 409);
  }
}

@Catch(HttpException)
class TeapotFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}
  catch(exception: HttpException, host: ArgumentsHost): void {
    const body = { code: 'app_refused', message: `In the words of the application: ${exception.message}` };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, exception.getStatus());
  }
}

const OUTPUT = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } as const;
const outputSchemas = Object.fromEntries(
  ['create', 'forbidden', 'missing', 'broken', 'conflict'].map((name) => [
    `failing.${name}`,
    { ...OUTPUT, required: ['title'] },
  ]),
);

describe.each(PLATFORMS)('a tool that fails, over MCP on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it('tells the model why, and holds no structured content', async () => {
      const { url } = await serve(
        platform,
        { controllers: [FailingController] },
        { configure: (app) => app.useGlobalPipes(new ValidationPipe()), mcp: { outputSchemas } },
      );
      const client = await connect(kind, url);
      await client.tools();
      const answers = {
        invalid: await client.call('failing__create', { title: 'long title', priority: 'high' }),
        unknown: await client.call('failing__create', { title: 'x', priority: 1, color: 'red' }),
        forbidden: await client.call('failing__forbidden'),
        missing: await client.call('failing__missing'),
        conflict: await client.call('failing__conflict'),
        broken: await client.call('failing__broken'),
      };
      for (const answer of Object.values(answers))
        expect(answer).toMatchObject({ isError: true, structured: undefined });
      expect(JSON.parse(answers.invalid.text)).toMatchObject({ code: 'tool_arguments_invalid' });
      expect(answers.invalid.text).toMatch(/title.*priority/);
      expect(answers.invalid.text).not.toMatch(/long title|high/);
      expect(answers.unknown.code).toBe('tool_arguments_unknown');
      expect(JSON.parse(answers.forbidden.text)).toEqual({ code: 'forbidden', message: 'Only for editors.' });
      expect(JSON.parse(answers.missing.text)).toEqual({ code: 'not_found', message: 'No such note.' });
      expect(JSON.parse(answers.conflict.text)).toEqual({
        code: 'note_locked',
        message: 'Locked by Ada.',
        details: { by: 'ada' },
      });
      expect(JSON.parse(answers.broken.text)).toEqual({ code: 'operation_failed', message: 'The tool failed.' });
      expect(await client.call('failing__create', { title: 'x', priority: 1 })).toMatchObject({ isError: false });
    });

    it('speaks in the words of the application’s own filter, and is an error all the same', async () => {
      const { url } = await serve(
        platform,
        { controllers: [FailingController] },
        { configure: (app) => app.useGlobalFilters(new TeapotFilter(app.get(HttpAdapterHost))) },
      );
      const { call } = await connect(kind, url);
      const told = { code: 'app_refused', message: 'In the words of the application: No such note.' };
      const { isError, text, structured } = await call('failing__missing');
      expect({ isError, text, structured }).toEqual({
        isError: true,
        text: JSON.stringify(told),
        structured: undefined,
      });
    });

    it('is an error of the protocol where there is no such tool', async () => {
      const { url } = await serve(platform, { controllers: [FailingController] });
      const { call } = await connect(kind, url);
      const error = await catchError(() => call('failing__none'));
      expect(error).toMatchObject({ code: -32_602, data: { code: 'tool_unknown' } });
    });
  });
});
