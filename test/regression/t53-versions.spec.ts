import { createRequire } from 'node:module';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Post,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  type INestApplication,
  type VersioningOptions,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { bootApplication, closeApplications, listen, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { serve, SERVER_INFO } from '../mcp/support/applications.js';
import { CLIENTS, closeClients, connect } from '../mcp/support/clients.js';
import { send } from '../mcp/support/raw.js';

// Versions and exclusions of the application moved the endpoint, or led a tool to another version of its route.
// https://github.com/rekog-labs/MCP-Nest/issues/65 https://github.com/rekog-labs/MCP-Nest/issues/125

class NoteDto {
  @IsString() title!: string;
}

/** One route, two versions of it: each is an operation of its own. */
@Controller({ path: 'notes', version: ['1', '2'] })
class NotesController {
  @Operation({ name: 'notes.first', kind: 'query' })
  @Version('1')
  @Post()
  @HttpCode(200)
  first(@Body() { title }: NoteDto): unknown {
    return { version: 1, title };
  }

  @Operation({ name: 'notes.second', kind: 'query' })
  @Version('2')
  @Post()
  @HttpCode(200)
  second(@Body() { title }: NoteDto): unknown {
    return { version: 2, title };
  }
}

@Controller({ path: 'plain', version: VERSION_NEUTRAL })
class PlainController {
  @Operation({ name: 'plain.read' }) @Get() read(): unknown {
    return { plain: true };
  }
}

/** One handler under two versions, called by the one that it says. */
@Controller({ path: 'both', version: ['1', '2'] })
class BothController {
  @Operation({ name: 'both.read', address: { version: '2' } }) @Get() read(): unknown {
    return { both: true };
  }
}

interface ByHeader {
  readonly what: string;
  readonly versioning: VersioningOptions;
  readonly headers: (version: string) => Record<string, string>;
}

const BY_HEADER: readonly ByHeader[] = [
  {
    what: 'a header',
    versioning: { type: VersioningType.HEADER, header: 'X-Version' },
    headers: (version) => ({ 'x-version': version }),
  },
  {
    what: 'the media type that is accepted',
    versioning: { type: VersioningType.MEDIA_TYPE, key: 'v=' },
    headers: (version) => ({ accept: `application/json, text/event-stream;v=${version}` }),
  },
];

const CUSTOM: VersioningOptions = {
  type: VersioningType.CUSTOM,
  extractor: (request) => String((request as { headers: Record<string, unknown> }).headers['x-edition'] ?? ''),
};

/** Every address that a request came in by, tool calls among them. */
const seen: string[] = [];

function watch(app: INestApplication): void {
  app.use((request: { originalUrl?: string; url: string }, _response: unknown, next: () => void) => {
    seen.push(request.originalUrl ?? request.url);
    next();
  });
}

const { version: NEST_VERSION } = createRequire(import.meta.url)('@nestjs/core/package.json') as { version: string };

describe.each(PLATFORMS)('versions, on %s', (platform) => {
  // On Fastify, Nest 11 tells versions apart by their paths alone where a route is for every method.
  const isUntold = platform === 'fastify' && NEST_VERSION.startsWith('11.');
  const ofOther = isUntold ? 405 : 404;

  beforeEach(() => void (seen.length = 0));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it.each(BY_HEADER)('that $what tells lead to the endpoint, and each tool to its own', async (told) => {
      const { base, url } = await serve(
        platform,
        { controllers: [NotesController, PlainController] },
        { configure: (app) => app.enableVersioning(told.versioning), mcp: { version: '2' } },
      );
      const { call } = await connect(kind, url, told.headers('2'));
      expect(await call('notes__first', { title: 'a' })).toMatchObject({ structured: { version: 1, title: 'a' } });
      expect(await call('notes__second', { title: 'b' })).toMatchObject({ structured: { version: 2, title: 'b' } });
      expect(await call('plain__read')).toMatchObject({ structured: { plain: true } });
      expect((await send(base, { method: 'GET', headers: told.headers('1') })).status).toBe(ofOther);
      expect((await send(base, { method: 'GET' })).status).toBe(ofOther);
      expect((await send(base, { method: 'GET', headers: told.headers('2') })).status).toBe(405);
    });

    it('that the application reads by itself lead to the endpoint, and to tools that have none', async () => {
      const { base, url } = await serve(
        platform,
        { controllers: [PlainController] },
        { configure: (app) => app.enableVersioning(CUSTOM), mcp: { version: 'summer' } },
      );
      const { call } = await connect(kind, url, { 'x-edition': 'summer' });
      expect(await call('plain__read')).toMatchObject({ structured: { plain: true } });
      expect((await send(base, { method: 'GET', headers: { 'x-edition': 'winter' } })).status).toBe(ofOther);
    });

    it('lead to the same endpoint where it has two of them', async () => {
      const { base } = await serve(
        platform,
        { controllers: [NotesController] },
        { configure: (app) => app.enableVersioning({ type: VersioningType.URI }), mcp: { version: ['1', '2'] } },
      );
      for (const version of ['v1', 'v2']) {
        const { call } = await connect(kind, `${base}/${version}/mcp`);
        expect(await call('notes__first', { title: 'a' })).toMatchObject({ structured: { version: 1, title: 'a' } });
        expect(await call('notes__second', { title: 'b' })).toMatchObject({ structured: { version: 2, title: 'b' } });
      }
      for (const path of ['/mcp', '/v3/mcp']) expect((await send(base, { method: 'GET', path })).status).toBe(404);
    });

    it('are not in front of an endpoint that has none', async () => {
      const { base, url } = await serve(
        platform,
        { controllers: [PlainController] },
        {
          configure: (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
          mcp: { version: VERSION_NEUTRAL },
        },
      );
      const { call } = await connect(kind, url);
      expect(await call('plain__read')).toMatchObject({ isError: false });
      expect((await send(base, { method: 'GET', path: '/v1/mcp' })).status).toBe(404);
    });

    it('of one handler are one tool, which is called by the address that it says', async () => {
      const { url } = await serve(
        platform,
        { controllers: [BothController] },
        {
          configure: (app) => {
            watch(app);
            app.enableVersioning({ type: VersioningType.URI });
          },
          mcp: { version: VERSION_NEUTRAL },
        },
      );
      const { call, tools } = await connect(kind, url);
      expect((await tools()).map(({ name }) => name)).toEqual(['both__read']);
      expect(await call('both__read')).toMatchObject({ structured: { both: true } });
      expect(seen.filter((path) => path !== '/mcp')).toEqual(['/v2/both']);
    });

    it('and prefixes leave an operation out that the application leaves out', async () => {
      const { base } = await serve(
        platform,
        { controllers: [PlainController, NotesController] },
        {
          configure: (app) => {
            watch(app);
            app.setGlobalPrefix('api', { exclude: ['plain'] });
            app.enableVersioning({ type: VersioningType.URI });
          },
          mcp: { version: VERSION_NEUTRAL },
        },
      );
      const { call } = await connect(kind, `${base}/api/mcp`);
      expect(await call('plain__read')).toMatchObject({ structured: { plain: true } });
      expect(await call('notes__second', { title: 'b' })).toMatchObject({ structured: { version: 2, title: 'b' } });
      expect(seen.filter((path) => path !== '/api/mcp')).toEqual(['/plain', '/api/v2/notes']);
    });

    it('are no matter for which tools a palette has: another’s tool is unknown', async () => {
      const palettes = [
        { name: 'one', include: ['plain.read'] },
        { name: 'two', include: ['both.read'] },
      ];
      const app = await bootApplication(
        platform,
        {
          controllers: [PlainController, BothController],
          imports: [
            OperationsModule.forRoot({}),
            OperationsModule.forFeature({ palettes }),
            McpModule.forRoot({ palette: 'one', version: '1', serverInfo: SERVER_INFO }),
            McpModule.forRootAsync({
              version: '2',
              useFactory: () => ({ palette: 'two', serverInfo: SERVER_INFO }),
            }),
          ],
        },
        { configure: (created) => created.enableVersioning({ type: VersioningType.URI }) },
      );
      const base = await listen(app);
      const [one, two] = [await connect(kind, `${base}/v1/mcp`), await connect(kind, `${base}/v2/mcp`)];
      expect(await one.call('plain__read')).toMatchObject({ structured: { plain: true } });
      expect(await two.call('both__read')).toMatchObject({ structured: { both: true } });
      for (const ask of [() => one.call('both__read'), () => two.call('plain__read')]) {
        expect(await catchError(ask)).toMatchObject({ code: -32_602, data: { code: 'tool_unknown' } });
      }
    });
  });

  it('that nobody can tell the router keep an operation from being offered', async () => {
    const boot = () =>
      serve(platform, { controllers: [NotesController] }, { configure: (app) => app.enableVersioning(CUSTOM) });
    expect(await catchError(boot)).toMatchObject({ code: 'operation_route_unresolved' });
  });
});
