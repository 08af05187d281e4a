import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  Get,
  HttpCode,
  HttpException,
  Injectable,
  Post,
  UnprocessableEntityException,
  UseFilters,
  UsePipes,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
  type INestApplication,
  type PipeTransform,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { IsString, registerDecorator } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve } from '../mcp/support/applications.js';
import { CLIENTS, closeClients, connect } from '../mcp/support/clients.js';
import { ERAS, messageIn, send } from '../mcp/support/raw.js';
import { toolCall } from '../mcp/support/tool-calls.js';

// What the application said of a failure was lost on the way to the model, or came as if nothing had failed.
// https://github.com/modelcontextprotocol/typescript-sdk/pull/1044

/** A rule that no schema can tell of. */
function IsFree(): PropertyDecorator {
  return (prototype, property) =>
    registerDecorator({
      name: 'isFree',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: (value) => value !== 'taken',
        defaultMessage: (given) => `${given?.property ?? ''} is taken already`,
      },
    });
}

class NoteDto {
  @IsString() @IsFree() title!: string;
  @IsString() @IsFree() slug!: string;
}

/** A pipe with rules of its own. */
@Injectable()
class OrderPipe implements PipeTransform {
  transform(value: { from?: string; to?: string }): unknown {
    if ((value.from ?? '') > (value.to ?? ''))
      throw new BadRequestException(['from must not be after to', 'to must not be before from']);
    return value;
  }
}

class SpanDto {
  @IsString() from!: string;
  @IsString() to!: string;
}

const SECRET = 'relation "users" does not exist at postgres://app:hunter2@db';

class SoftError extends Error {}

/** The application's catch-all: it knows what became of an error, and says it in its own words. */
@Catch()
class CatchAllFilter implements ExceptionFilter {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly status: number,
  ) {}
  catch(error: unknown, host: ArgumentsHost): void {
    const message = error instanceof HttpException ? error.message : 'It broke, and somebody is looking at it.';
    const body = { code: 'app_failed', message, details: { reference: 'r-1' }, stack: 'at secret.ts:1' };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, this.status);
  }
}

/** One that answers 200, and says in the body that something is wrong. */
@Catch(SoftError)
class SoftFilter implements ExceptionFilter {
  catch(_error: SoftError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ status(status: number): { send(body: unknown): void } }>();
    response.status(200).send({ ok: false, message: 'There is no such note.' });
  }
}

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query' }) @Post() @HttpCode(200) create(@Body() note: NoteDto): unknown {
    return { title: note.title };
  }
  @Operation({ kind: 'query' }) @Post('span') @HttpCode(200) @UsePipes(OrderPipe) span(@Body() span: SpanDto): unknown {
    return { from: span.from };
  }
  @Operation() @Get('broken') broken(): void {
    throw new Error(SECRET);
  }
  @Operation() @Get('unprocessable') unprocessable(): void {
    throw new UnprocessableEntityException('Not while it is locked.');
  }
  @Operation() @Get('soft') @UseFilters(SoftFilter) soft(): void {
    throw new SoftError();
  }
}

const NOTES = { controllers: [NotesController] };

describe.each(PLATFORMS)('what the application says of a failure, over MCP on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  const catchAll = (status: number) => (app: INestApplication) =>
    app.useGlobalFilters(new CatchAllFilter(app.get(HttpAdapterHost), status));

  describe.each(ERAS)('as a result in the era of %s', (era) => {
    const resultOf = async (base: string, name: string, args: object = {}) => {
      const { result } = messageIn(await send(base, toolCall(era, name, args)));
      const { content, isError, structuredContent } = result ?? {};
      return { content, isError, structuredContent };
    };
    const failed = (told: object) => ({
      content: [{ type: 'text', text: JSON.stringify(told) }],
      isError: true,
      structuredContent: undefined,
    });

    it('is what its filter says, exactly', async () => {
      const { base } = await serve(platform, NOTES, { configure: catchAll(409) });
      const words = (message: string) => failed({ code: 'app_failed', message, details: { reference: 'r-1' } });
      expect(await resultOf(base, 'notes__unprocessable')).toEqual(words('Not while it is locked.'));
      expect(await resultOf(base, 'notes__broken')).toEqual(words('It broke, and somebody is looking at it.'));
      expect((await resultOf(base, 'notes__create', { title: 'a', slug: 'b' })).isError).toBeUndefined();
    });

    it('is nothing where its catch-all says that the application failed', async () => {
      for (const status of [500, 503]) {
        const { base } = await serve(platform, NOTES, { configure: catchAll(status) });
        expect(await resultOf(base, 'notes__broken')).toEqual(
          failed({ code: 'operation_failed', message: 'The tool failed.' }),
        );
      }
    });

    it('is what its pipes found, each message of it', async () => {
      const { base } = await serve(platform, NOTES, {
        configure: (app) => app.useGlobalPipes(new ValidationPipe()),
      });
      const found = await resultOf(base, 'notes__create', { title: 'taken', slug: 'taken' });
      const messages = ['title is taken already', 'slug is taken already'];
      expect(found).toEqual(failed({ code: 'bad_request', message: 'Bad Request', details: messages }));
      const one = await resultOf(base, 'notes__create', { title: 'free', slug: 'taken' });
      expect(JSON.stringify(one)).not.toContain('title is taken');
      expect(await resultOf(base, 'notes__span', { from: '2', to: '1' })).toEqual(
        failed({
          code: 'bad_request',
          message: 'Bad Request',
          details: ['from must not be after to', 'to must not be before from'],
        }),
      );
      expect((await resultOf(base, 'notes__span', { from: '1', to: '2' })).isError).toBeUndefined();
    });

    it('is an answer, as over HTTP, where its filter says 200, unless another answer was promised', async () => {
      const { base } = await serve(platform, NOTES);
      const told = { ok: false, message: 'There is no such note.' };
      expect(await resultOf(base, 'notes__soft')).toEqual({
        content: [{ type: 'text', text: JSON.stringify(told) }],
        isError: undefined,
        structuredContent: told,
      });
      const promising = await serve(platform, NOTES, {
        mcp: { outputSchemas: { 'notes.soft': { type: 'object', required: ['title'] } } },
      });
      expect(await resultOf(promising.base, 'notes__soft')).toEqual(
        failed({ code: 'operation_failed', message: 'The tool failed.' }),
      );
    });
  });

  it.each(CLIENTS)('is read by %s', async (kind) => {
    const { url } = await serve(platform, NOTES, { configure: (app) => app.useGlobalPipes(new ValidationPipe()) });
    const { call } = await connect(kind, url);
    const found = await call('notes__create', { title: 'taken', slug: 'free' });
    expect(found).toMatchObject({ isError: true, code: 'bad_request', structured: undefined });
    expect(JSON.parse(found.text)).toMatchObject({ details: ['title is taken already'] });
  });
});
