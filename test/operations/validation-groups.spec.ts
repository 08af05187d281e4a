import {
  Body,
  Controller,
  Injectable,
  ParseArrayPipe,
  Patch,
  Post,
  Put,
  Query,
  Scope,
  UsePipes,
  ValidationPipe,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Type } from 'class-transformer';
import { IsInt, IsNotEmpty, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { getPaletteToken, Operation, OperationCatalogue, PaletteBootError, type Palette } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';

class AuthorDto {
  @IsString({ groups: ['create'] }) name!: string;
}

class NoteDto {
  @IsInt({ groups: ['update'] }) version!: number;
  @IsString({ groups: ['create', 'update'] }) @MinLength(3, { groups: ['create'] }) title!: string;
  @IsOptional() @ValidateNested({ groups: ['create'] }) @Type(() => AuthorDto) author?: AuthorDto;
}

@Injectable()
class CreatingPipe extends ValidationPipe {
  constructor() {
    super({ groups: ['create'] });
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestPipe extends ValidationPipe {
  constructor() {
    super({ groups: ['create'] });
  }
}

@Controller('notes')
class NotesController {
  @Operation()
  @Post()
  create(@Body(new ValidationPipe({ groups: ['create'] })) note: NoteDto) {
    return note;
  }

  @Operation()
  @Put()
  @UsePipes(new ValidationPipe({ groups: ['update'] }))
  update(@Body() note: NoteDto) {
    return note;
  }

  @Operation()
  @Patch()
  @UsePipes(new ValidationPipe({ skipMissingProperties: true }))
  change(@Body() note: NoteDto) {
    return note;
  }

  @Operation()
  @Post('injected')
  @UsePipes(CreatingPipe)
  injected(@Body() note: NoteDto) {
    return note;
  }

  @Operation()
  @Post('expected')
  expected(@Body(new ValidationPipe({ expectedType: NoteDto, groups: ['update'] })) note: unknown) {
    return note;
  }

  @Operation()
  @Post('listed')
  listed(@Body(new ParseArrayPipe({ items: NoteDto, groups: ['update'] } as object)) notes: NoteDto[]) {
    return notes;
  }

  @Operation()
  @Post('requested')
  requested(@Body(RequestPipe) note: NoteDto) {
    return note;
  }
}

@Controller('plain')
class PlainController {
  @Operation() @Post() create(@Body() note: NoteDto) {
    return note;
  }
  @Operation() @Post('found') found(@Query() note: NoteDto) {
    return note;
  }
}

@Controller('drafts')
@UsePipes(new ValidationPipe({ skipUndefinedProperties: true }))
class DraftsController {
  @Operation() @Post() create(@Body() note: NoteDto) {
    return note;
  }
}

function requiredOf({ app }: Dispatching, name: string): readonly string[] {
  return app.get(OperationCatalogue).operations.get(name)?.input.schema.required ?? [];
}

describe.each(PLATFORMS)('schemas under the options of the pipes on %s', (platform) => {
  afterEach(closeApplications);

  function boot(metadata: ModuleMetadata, configure?: (app: INestApplication) => void): Promise<Dispatching> {
    return bootDispatching(platform, metadata, configure ? { configure } : {});
  }

  it('know those of a parameter, a method and a class', async () => {
    const booted = await boot({ controllers: [NotesController, DraftsController] });
    expect(requiredOf(booted, 'notes.create')).toEqual(['title']);
    expect(requiredOf(booted, 'notes.update')).toEqual(['version', 'title']);
    expect(requiredOf(booted, 'notes.change')).toEqual([]);
    expect(requiredOf(booted, 'notes.injected')).toEqual(['title']);
    expect(requiredOf(booted, 'notes.expected')).toEqual(['version', 'title']);
    expect(requiredOf(booted, 'drafts.create')).toEqual([]);
  });

  it('refuse what the pipe refuses, and nothing else', async () => {
    const { call } = await boot({ controllers: [NotesController, DraftsController] });
    const short = { title: 'ab' };
    expect(await call('notes__create', short)).toMatchObject({
      isError: true,
      content: { code: 'tool_arguments_invalid' },
    });
    expect(await call('notes__create', { title: 'abc' })).toMatchObject({ isError: false, content: { title: 'abc' } });
    expect(await call('notes__update', { ...short, version: 1 })).toMatchObject({ isError: false });
    expect(await call('notes__update', short)).toMatchObject({ isError: true });
    expect(await call('notes__change', {})).toMatchObject({ isError: false });
    expect(await call('notes__injected', { title: 'abc' })).toMatchObject({ isError: false });
    expect(await call('notes__expected', { ...short, version: 1 })).toMatchObject({ isError: false });
    expect(await call('notes__expected', short)).toMatchObject({ isError: true });
    expect(await call('drafts__create', {})).toMatchObject({ isError: false });
  });

  it('are told apart within one document', async () => {
    const booted = await boot({ controllers: [NotesController] });
    const { schema } = booted.app.get(OperationCatalogue).operations.get('notes.listed')?.input ?? {};
    expect(schema?.properties?.['body']).toEqual({ type: 'array', items: { $ref: '#/$defs/NoteDto' } });
    expect(schema?.$defs?.['NoteDto']?.required).toEqual(['version', 'title']);
    expect(await booted.call('notes__listed', { body: [{ version: 1, title: 'a' }] })).toMatchObject({
      isError: false,
    });
    expect(await booted.call('notes__listed', { body: [{ title: 'a' }] })).toMatchObject({ isError: true });
  });

  it('assume the defaults of a pipe that is made for each request, and say so', async () => {
    const booted = await boot({ controllers: [NotesController] });
    expect(requiredOf(booted, 'notes.requested')).toEqual(['version', 'title']);
    expect(booted.app.get(OperationCatalogue).gaps).toContainEqual({
      at: 'NotesController.requested, parameter 0',
      why: expect.stringContaining('RequestPipe'),
    });
  });

  it.each<[string, ModuleMetadata, ((app: INestApplication) => void) | undefined]>([
    ['useGlobalPipes', {}, (app) => app.useGlobalPipes(new ValidationPipe({ groups: ['create'] }))],
    ['APP_PIPE with a value', { providers: [{ provide: APP_PIPE, useValue: new CreatingPipe() }] }, undefined],
    ['APP_PIPE with a class', { providers: [{ provide: APP_PIPE, useClass: CreatingPipe }] }, undefined],
  ])('know those of %s', async (_name, metadata, configure) => {
    const booted = await boot({ ...metadata, controllers: [PlainController, NotesController] }, configure);
    expect(requiredOf(booted, 'plain.create')).toEqual(['title']);
    expect(await booted.call('plain__create', { title: 'abc' })).toMatchObject({ isError: false });
    expect(await booted.call('plain__found', { title: 'ab' })).toMatchObject({ isError: true });
    expect(await booted.call('plain__found', { title: 'abc' })).toMatchObject({ isError: false });
  });

  it('refuse to boot where a palette was read before the global pipes were set', async () => {
    const seen: unknown[] = [];
    const tools = {
      provide: 'TOOLS',
      inject: [getPaletteToken('all')],
      useFactory: (palette: Palette) => seen.push(palette.definitions.length),
    };
    const metadata: ModuleMetadata = { controllers: [PlainController], providers: [tools] };
    const error = await catchError(() =>
      boot(metadata, (app) => app.useGlobalPipes(new ValidationPipe({ groups: ['create'] }))),
    );
    if (!PaletteBootError.isInstance(error)) throw error;
    expect(error.faults.map(({ code }) => code)).toEqual(['operation_read_early']);
    await boot(metadata, (app) => app.useGlobalPipes(new ValidationPipe({ whitelist: true })));
    expect(seen).toEqual([2, 2]);
  });
});

class EmptyDto {
  @IsNotEmpty({ groups: ['x'] }) text!: string;
}

describe.each(PLATFORMS)('a class all of whose validators stand in other groups on %s', (platform) => {
  afterEach(closeApplications);

  it('is told with its properties, none of them required', async () => {
    @Controller('empty')
    class EmptyController {
      @Operation() @Post() create(@Body(new ValidationPipe({ groups: ['y'] })) dto: EmptyDto) {
        return dto;
      }
    }
    const { call, palette } = await bootDispatching(platform, { controllers: [EmptyController] });
    expect(palette.definitions[0]?.inputSchema).toMatchObject({ properties: { text: { type: ['string', 'null'] } } });
    expect(palette.definitions[0]?.inputSchema.required).toBeUndefined();
    expect(await call('empty__create', { text: '' })).toMatchObject({ isError: false });
  });
});
