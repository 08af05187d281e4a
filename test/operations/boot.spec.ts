import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  Injectable,
  Module,
  Param,
  Post,
  Put,
  Query,
  RawBody,
  Redirect,
  Render,
  Req,
  RequestMethod,
  Scope,
  Sse,
  UploadedFile,
  VERSION_NEUTRAL,
  VersioningType,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { IsString } from 'class-validator';
import { of } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Operation,
  OperationCatalogue,
  OperationsModule,
  PaletteBootError,
  type DispatchOptions,
} from 'nestjs-palette';
import { bootApplication, closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching } from '../support/dispatching.js';

class TitleDto {
  @IsString() title!: string;
}

function application(controllers: ModuleMetadata['controllers'], dispatch: DispatchOptions = {}): ModuleMetadata {
  return { imports: [OperationsModule.forRoot({ dispatch })], controllers: controllers ?? [] };
}

describe.each(PLATFORMS)('operations at boot on %s', (platform) => {
  afterEach(closeApplications);

  async function catalogueOf(...controllers: NonNullable<ModuleMetadata['controllers']>): Promise<OperationCatalogue> {
    return (await bootApplication(platform, application(controllers))).get(OperationCatalogue);
  }

  async function faultsOf(metadata: ModuleMetadata, configure?: (app: INestApplication) => void): Promise<string[]> {
    const error = await catchError(() => bootApplication(platform, metadata, configure ? { configure } : {}));
    if (!PaletteBootError.isInstance(error)) throw error;
    return error.faults.map(({ code, message }) => `${code}: ${message}`);
  }

  it('are found on every controller, request-scoped and inherited ones too', async () => {
    abstract class Reading {
      @Operation() @Get() list(): void {}
    }
    @Controller({ path: 'notes', scope: Scope.REQUEST })
    class NotesController extends Reading {}
    @Controller({ path: ['admin/users', 'people'], scope: Scope.TRANSIENT })
    class UsersController extends Reading {
      @Operation({ name: 'users.add' }) @Post() add(): void {}
    }
    @Controller()
    class HealthController extends Reading {}
    const { operations } = await catalogueOf(NotesController, UsersController, HealthController);
    expect([...operations.values()].map(({ name, kind }) => [name, kind])).toEqual([
      ['notes.list', 'query'],
      ['users.add', 'command'],
      ['admin.users.list', 'query'],
      ['health.list', 'query'],
    ]);
  });

  it('derive what a client may assume from verb and kind', async () => {
    @Controller('notes')
    class NotesController {
      @Operation({ kind: 'query' }) @Post('search') search(): void {}
      @Operation({ annotations: { idempotent: true } }) @Post() create(): void {}
      @Operation() @Put() replace(): void {}
      @Operation({ kind: 'command' }) @All('all') all(): void {}
      @Operation() @Get() list(): void {}
      @Operation({ kind: 'command' }) @Get('send') send(): void {}
      @Operation({ kind: 'command', annotations: { idempotent: true } }) @Get('touch') touch(): void {}
      @Operation() @Delete() remove(): void {}
    }
    const { operations } = await catalogueOf(NotesController);
    const told = [...operations.values()].map(({ route, annotations: { readOnly, destructive, idempotent } }) =>
      [route?.httpMethod, readOnly, destructive, idempotent].join(' '),
    );
    expect(told).toEqual([
      'POST true false false',
      'POST false false true',
      'PUT false false true',
      'POST false false false',
      'GET true false true',
      'GET false false false',
      'GET false false true',
      'DELETE false true true',
    ]);
  });

  it('take no input from what the request itself carries', async () => {
    @Controller('notes')
    class NotesController {
      @Operation() @Get(':id') read(@Param('id') _id: string, @Headers('x-tenant') _tenant: string): void {}
    }
    const { operations } = await catalogueOf(NotesController);
    expect(operations.get('notes.read')?.input.schema).toEqual({
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    });
  });

  it('nest the sources that share a name, and no other', async () => {
    @Controller('notes')
    class NotesController {
      @Operation()
      @Put(':title')
      put(@Param('title') _title: string, @Body() _note: TitleDto, @Query('dry') _dry: boolean): void {}
      @Operation()
      @Post('bulk')
      bulk(@Query('body') _body: string, @Body() _values: number[]): void {}
    }
    const { operations } = await catalogueOf(NotesController);
    expect(Object.keys(operations.get('notes.put')?.input.schema.properties ?? {})).toEqual(['path', 'body', 'dry']);
    expect(operations.get('notes.bulk')?.input.schema.properties).toMatchObject({
      query: { properties: { body: { type: 'string' } } },
      body: { type: 'array' },
    });
  });

  it('report a parameter whose class was erased, and offer it as an open value', async () => {
    @Controller('notes')
    class NotesController {
      @Operation() @Post() create(@Body() _note: { title: string }): void {}
    }
    const catalogue = await catalogueOf(NotesController);
    expect(catalogue.gaps).toEqual([
      { at: 'NotesController.create, parameter 0', why: expect.stringContaining('outlives the compiler') },
    ]);
    expect(catalogue.operations.get('notes.create')?.input.schema.properties).toEqual({ body: {} });
  });

  it('are refused where a tool call cannot carry them, all at once', async () => {
    @Controller('bad')
    class BadController {
      @Operation() @All('any') any(): void {}
      @Operation() @Sse('events') events(): void {}
      @Operation() @Render('page') @Get('page') page(): void {}
      @Operation() @Redirect('/') @Get('away') away(): void {}
      @Operation() @Post('file') file(@UploadedFile() _file: unknown): void {}
      @Operation() @Post('raw') raw(@RawBody() _body: unknown): void {}
      @Operation() @Get('files/*') files(): void {}
      @Operation() helper(): void {}
      @Operation({ name: 'same' }) @Get('one') one(): void {}
      @Operation({ name: 'same' }) @Get('two') two(): void {}
    }
    expect(await faultsOf(application([BadController]))).toEqual([
      expect.stringMatching(/^operation_kind_undeclared: BadController.any /),
      expect.stringMatching(/^operation_input_unsupported: BadController.events .*@Sse/),
      expect.stringMatching(/^operation_input_unsupported: BadController.page .*@Render/),
      expect.stringMatching(/^operation_input_unsupported: BadController.away .*@Redirect/),
      expect.stringMatching(/^operation_input_unsupported: BadController.file .*parameter 0/),
      expect.stringMatching(/^operation_input_unsupported: BadController.raw .*raw body/),
      expect.stringMatching(/^operation_route_unresolved: BadController.files .*wildcard/),
      expect.stringMatching(/^operation_not_a_route: BadController.helper /),
      expect.stringMatching(/^operation_name_duplicate: .*"same": BadController.one and BadController.two/),
    ]);
  });

  it('are refused on a provider, where the mark would do nothing', async () => {
    @Injectable()
    class NotesService {
      @Operation() list(): void {}
    }
    const metadata = { ...application([]), providers: [NotesService] };
    expect(await faultsOf(metadata)).toEqual([expect.stringMatching(/^operation_not_a_route: NotesService.list /)]);
  });

  it('are refused under custom versioning or a host pattern, which have no single address', async () => {
    @Controller({ path: 'one', version: '1' })
    class OneController {
      @Operation() @Get() list(): void {}
    }
    @Controller({ path: 'two', host: ':tenant.example.com' })
    class TwoController {
      @Operation() @Get() list(): void {}
    }
    const custom = (app: INestApplication) =>
      app.enableVersioning({ type: VersioningType.CUSTOM, extractor: () => '1' });
    expect(await faultsOf(application([OneController]), custom)).toEqual([
      expect.stringMatching(/^operation_route_unresolved: OneController.list .*custom versioning/),
    ]);
    expect(await faultsOf(application([TwoController]))).toEqual([
      expect.stringMatching(/^operation_route_unresolved: TwoController.list .*host/),
    ]);
  });

  it('are refused a header that must not travel', async () => {
    expect(await faultsOf(application([], { forwardHeaders: ['Cookie', 'Host', 'content-length'] }))).toEqual([
      expect.stringMatching(/^dispatch_header_forbidden: .*"host"/),
      expect.stringMatching(/^dispatch_header_forbidden: .*"content-length"/),
    ]);
    await bootApplication(platform, application([], { forwardHeaders: ['Cookie'] }));
  });

  it('are called by the address that they choose, where their route has several', async () => {
    @Controller({ path: ['notes', 'memos'], version: ['1', '2'], host: ':tenant.example.com' })
    class NotesController {
      @Operation({ address: { controllerPath: 'memos', methodPath: 'two', version: '2', host: 'acme.example.com' } })
      @Get(['one', 'two'])
      list(@Req() request: { url: string; headers: { host: string }; originalUrl?: string }): unknown {
        return { url: request.url, host: request.headers.host };
      }
    }
    const configure = (app: INestApplication) => app.enableVersioning({ type: VersioningType.URI });
    const { call } = await bootDispatching(platform, { controllers: [NotesController] }, { configure });
    expect((await call('memos__list')).content).toEqual({ url: '/v2/memos/two', host: 'acme.example.com' });
    @Controller('notes')
    class LostController {
      @Operation({ address: { controllerPath: 'memos', version: '3' } }) @Get() list(): void {}
    }
    expect(await faultsOf(application([LostController]))).toEqual([
      expect.stringMatching(/^operation_route_unresolved: LostController.list .*controller path "\/memos".*\/notes/),
      expect.stringMatching(/^operation_route_unresolved: LostController.list .*version "3"/),
    ]);
  });

  it('are offered in spite of what they say they do without', async () => {
    @Controller('odd')
    class OddController {
      @Operation({ allow: ['sse'] }) @Sse('events') events(): unknown {
        return of({ data: 'one' }, { data: 'two' });
      }
      @Operation({ allow: ['redirect'] }) @Redirect('https://example.com/away') @Get('away') away(): void {}
      @Operation({ allow: ['upload'] }) @Post('file') file(@UploadedFile() file: unknown): unknown {
        return { hasFile: file !== undefined && file !== null };
      }
      @Operation({ allow: ['rawBody'] }) @Post('raw') raw(
        @RawBody() _raw: unknown,
        @Body('title') title: string,
      ): unknown {
        return { title };
      }
    }
    const { call } = await bootDispatching(platform, { controllers: [OddController] });
    expect((await call('odd__events')).content).toMatch(/data: one\n\n[^]*data: two\n\n$/);
    expect((await call('odd__away')).content).toEqual({
      redirect: { status: 302, location: 'https://example.com/away' },
    });
    expect((await call('odd__file')).content).toEqual({ hasFile: false });
    expect((await call('odd__raw', { title: 'a' })).content).toEqual({ title: 'a' });
  });

  it('boot under prefixes, exclusions and versions', async () => {
    @Controller({ path: 'notes', version: ['2', VERSION_NEUTRAL] })
    class NotesController {
      @Operation() @Get(':id') read(@Param('id') _id: string): void {}
    }
    @Module({ controllers: [NotesController] })
    class NotesModule {}
    const metadata = {
      imports: [
        NotesModule,
        RouterModule.register([{ path: 'office/:tenant', module: NotesModule }]),
        OperationsModule.forRoot({}),
      ],
    };
    const app = await bootApplication(platform, metadata, {
      configure: (each) => {
        each.setGlobalPrefix('api', { exclude: [{ path: 'health', method: RequestMethod.GET }] });
        each.enableVersioning({ type: VersioningType.URI });
      },
    });
    const operation = app.get(OperationCatalogue).operations.get('notes.read');
    expect(Object.keys(operation?.input.schema.properties ?? {}).sort()).toEqual(['id', 'tenant']);
  });
});
