import {
  Body,
  Controller,
  Get,
  HttpCode,
  Module,
  Post,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { IsString } from 'class-validator';
import { bootApplication, closeApplications, listen, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { serve, SERVER_INFO, type ServeOptions } from '../mcp/support/applications.js';
import { CLIENTS, closeClients, connect } from '../mcp/support/clients.js';
import { send } from '../mcp/support/raw.js';

// The path that clients were told had its pieces in the wrong order, and a body that a parser had read was read again.
// https://github.com/rekog-labs/MCP-Nest/issues/184 https://github.com/vercel/mcp-handler/issues/106

class NoteDto {
  @IsString() title!: string;
}

@Controller({ path: 'plain', version: VERSION_NEUTRAL })
class PlainController {
  @Operation({ name: 'plain.create', kind: 'query' })
  @Post()
  @HttpCode(200)
  create(@Body() { title }: NoteDto): unknown {
    return { title };
  }
}

@Controller('other')
class OtherController {
  @Operation()
  @Get()
  read(): unknown {
    return { other: true };
  }
}

/** One route, two versions of it: each is an operation of its own. */
@Controller({ path: 'notes', version: ['1', '2'] })
class NotesController {
  @Operation({ name: 'notes.first', kind: 'query' })
  @Version('1')
  @Post('v')
  @HttpCode(200)
  first(@Body() { title }: NoteDto): unknown {
    return { version: 1, title };
  }

  @Operation({ name: 'notes.second', kind: 'query' })
  @Version('2')
  @Post('v')
  @HttpCode(200)
  second(@Body() { title }: NoteDto): unknown {
    return { version: 2, title };
  }
}

interface Place {
  readonly what: string;
  readonly path: string;
  readonly configure: (app: INestApplication) => void;
  readonly mcp?: ServeOptions['mcp'];
}

const uri = (app: INestApplication, defaultVersion?: string): unknown =>
  app.enableVersioning({ type: VersioningType.URI, ...(defaultVersion !== undefined && { defaultVersion }) });

const PLACES: readonly Place[] = [
  { what: 'a prefix', path: '/api/mcp', configure: (app) => app.setGlobalPrefix('api') },
  {
    what: 'a prefix that leaves it out',
    path: '/mcp',
    configure: (app) => app.setGlobalPrefix('api', { exclude: ['mcp'] }),
  },
  { what: 'a default version', path: '/v1/mcp', configure: (app) => uri(app, '1') },
  {
    what: 'a prefix and a version of its own',
    path: '/api/v2/agents/mcp',
    mcp: { version: '2', path: 'agents/mcp' },
    configure: (app) => {
      app.setGlobalPrefix('api');
      uri(app, '1');
    },
  },
  {
    what: 'two versions',
    path: '/v2/mcp',
    mcp: { version: ['1', '2'] },
    configure: (app) => uri(app),
  },
  { what: 'no version', path: '/mcp', mcp: { version: VERSION_NEUTRAL }, configure: (app) => uri(app, '1') },
];

describe.each(PLATFORMS)('the MCP endpoint on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it.each(PLACES)('is where Nest puts it with $what: $path', async ({ path, configure, mcp }) => {
      const isVersioned = path.includes('/v') || mcp?.version !== undefined;
      const controllers = isVersioned ? [PlainController, NotesController] : [PlainController];
      const { base } = await serve(platform, { controllers }, { configure, mcp: mcp ?? {} });
      const { call } = await connect(kind, `${base}${path}`);
      expect(await call('plain__create', { title: 'a' })).toMatchObject({ structured: { title: 'a' } });
      if (isVersioned) {
        expect(await call('notes__first', { title: 'a' })).toMatchObject({ structured: { version: 1, title: 'a' } });
        expect(await call('notes__second', { title: 'b' })).toMatchObject({ structured: { version: 2, title: 'b' } });
      }
      const elsewhere = path === '/mcp' ? '/api/mcp' : '/mcp';
      expect((await send(base, { path: elsewhere, method: 'GET' })).status).toBe(404);
    });

    it('is there twice, once for each palette', async () => {
      const palettes = ['one', 'two'].map((name, index) => ({
        name,
        include: [index === 0 ? 'plain.create' : 'other.read'],
      }));
      const app = await bootApplication(platform, {
        controllers: [PlainController, OtherController],
        imports: [
          OperationsModule.forRoot({}),
          OperationsModule.forFeature({ palettes }),
          McpModule.forRoot({ path: 'one/mcp', palette: 'one', serverInfo: SERVER_INFO }),
          McpModule.forRootAsync({
            path: 'two/mcp',
            useFactory: () => Promise.resolve({ palette: 'two', serverInfo: { ...SERVER_INFO, name: 'second' } }),
          }),
        ],
      });
      const base = await listen(app);
      const [one, two] = [await connect(kind, `${base}/one/mcp`), await connect(kind, `${base}/two/mcp`)];
      expect((await one.tools()).map(({ name }) => name)).toEqual(['plain__create']);
      expect((await two.tools()).map(({ name }) => name)).toEqual(['other__read']);
      expect(two.client.getServerVersion()).toMatchObject({ name: 'second' });
      expect(await one.call('plain__create', { title: 'a' })).toMatchObject({ structured: { title: 'a' } });
      expect(await two.call('other__read')).toMatchObject({ structured: { other: true } });
      for (const ask of [() => one.call('other__read'), () => two.call('plain__create', { title: 'a' })]) {
        expect(await catchError(ask)).toMatchObject({ code: -32_602, data: { code: 'tool_unknown' } });
      }
    });

    it.each([
      ['raw bodies kept', { rawBody: true }],
      ['no body parser', { rawBody: false, bodyParser: false }],
    ])('takes bodies with %s', async (_what, creation) => {
      @Module({
        controllers: [PlainController, OtherController],
        imports: [
          OperationsModule.forRoot({}),
          OperationsModule.forFeature({ palettes: [{ name: 'all', include: [operationsUnder('')] }] }),
          McpModule.forRoot({ palette: 'all', serverInfo: SERVER_INFO }),
        ],
      })
      class AppModule {}
      const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
      const app = await NestFactory.create(AppModule, adapter, { logger: false, ...creation });
      try {
        const { tools, call } = await connect(kind, `${await listen(app)}/mcp`);
        expect(await tools()).toHaveLength(2);
        expect(await call('other__read')).toMatchObject({ structured: { other: true } });
        // Without a parser a tool with a body of its own is the application's to serve; Fastify parses JSON by itself.
        const isParsed = creation.rawBody || platform === 'fastify';
        const created = isParsed ? { structured: { title: 'a' } } : { code: 'operation_failed' };
        expect(await call('plain__create', { title: 'a' })).toMatchObject(created);
      } finally {
        await closeClients();
        await app.close();
      }
    });
  });
});
