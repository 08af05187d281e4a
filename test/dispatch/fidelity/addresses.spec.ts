import {
  Controller,
  Get,
  Module,
  Param,
  Post,
  Query,
  RequestMethod,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { expect } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { content, fidelityTable, handled, type FidelityRow } from './support/fidelity-table.js';

@Controller('notes')
class NotesController {
  @Operation() @Get(':id') read(@Param('id') id: string): unknown {
    return handled({ id });
  }
  @Operation() @Post() create(): unknown {
    return handled({ created: true });
  }
  @Operation({ name: 'notes.health' }) @Get('status/health') health(): string {
    return handled('well');
  }
}

@Controller()
class RootController {
  @Operation({ name: 'root.hello' }) @Get() hello(): string {
    return handled('hello');
  }
}

fidelityTable('a global prefix', {
  application: () => ({ controllers: [NotesController, RootController] }),
  configure: (app) =>
    app.setGlobalPrefix('api/v1', {
      exclude: ['notes/status/health', { path: 'notes', method: RequestMethod.POST }],
    }),
  rows: [
    {
      what: 'stands in front of a route',
      tool: 'notes__read',
      args: { id: 'a b' },
      http: 'GET /api/v1/notes/a%20b',
      status: 200,
      view: content({ id: 'a b' }),
    },
    {
      what: 'stands in front of the root',
      tool: 'root__hello',
      http: 'GET /api/v1',
      status: 200,
      view: content('hello'),
    },
    {
      what: 'leaves out what is excluded by path',
      tool: 'notes__health',
      http: 'GET /notes/status/health',
      status: 200,
      view: content('well'),
    },
    {
      what: 'leaves out what is excluded by path and verb',
      tool: 'notes__create',
      http: 'POST /notes',
      status: 201,
      view: content({ created: true }),
    },
  ],
});

@Controller({ path: 'versions', version: '1' })
class FirstController {
  @Operation({ name: 'first.read' }) @Get(':id') read(@Param('id') id: string): unknown {
    return handled({ id, version: 1 });
  }
  @Operation({ name: 'first.next' }) @Version('3') @Get('of/:id') next(@Param('id') id: string): unknown {
    return handled({ id, version: 3 });
  }
}

@Controller({ path: 'versions', version: '2' })
class SecondController {
  @Operation({ name: 'second.read' }) @Get(':id') read(@Param('id') id: string, @Query('q') q?: string): unknown {
    return handled({ id, q, version: 2 });
  }
}

@Controller({ path: 'neutral', version: VERSION_NEUTRAL })
class NeutralController {
  @Operation({ name: 'neutral.read' }) @Get() read(): string {
    return handled('neutral');
  }
}

@Controller('default')
class DefaultController {
  @Operation({ name: 'default.read' }) @Get() read(): string {
    return handled('default');
  }
}

const versioned = { controllers: [FirstController, SecondController, NeutralController, DefaultController] };

/** The same operations by three ways to say a version over HTTP. */
function versionRows(
  say: (path: string, version?: string) => Pick<FidelityRow, 'http' | 'httpHeaders'>,
): FidelityRow[] {
  return [
    {
      what: 'reaches the first version',
      tool: 'first__read',
      args: { id: '7' },
      ...say('/versions/7', '1'),
      status: 200,
      view: content({ id: '7', version: 1 }),
    },
    {
      what: 'reaches the second version of one path',
      tool: 'second__read',
      args: { id: '7', q: 'x' },
      ...say('/versions/7?q=x', '2'),
      status: 200,
      view: content({ id: '7', q: 'x', version: 2 }),
    },
    {
      what: 'reaches the version of a method',
      tool: 'first__next',
      args: { id: '7' },
      ...say('/versions/of/7', '3'),
      status: 200,
      view: content({ id: '7', version: 3 }),
    },
    {
      what: 'reaches what has no version',
      tool: 'neutral__read',
      ...say('/neutral'),
      status: 200,
      view: content('neutral'),
    },
    {
      what: 'reaches the default version',
      tool: 'default__read',
      ...say('/default', '1'),
      status: 200,
      view: content('default'),
    },
    {
      what: 'of a client that asks for another is not that of a tool',
      tool: 'first__read',
      args: { id: '7' },
      ...say('/versions/7', '9'),
      status: 404,
      view: { refused: { code: 'not_found', message: expect.stringMatching(/^Cannot GET/) as unknown as string } },
      differs: {
        because: 'a tool is one version of an operation: there is none to ask for',
        view: content({ id: '7', version: 1 }),
        runs: 1,
      },
    },
  ];
}

fidelityTable('versioning by URI', {
  application: () => versioned,
  configure: (app) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
  rows: versionRows((path, version) => ({ http: `GET /api${version === undefined ? '' : `/v${version}`}${path}` })),
});

fidelityTable('versioning by header', {
  application: () => versioned,
  configure: (app) =>
    app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Api-Version', defaultVersion: '1' }),
  rows: versionRows((path, version) => ({
    http: `GET ${path}`,
    httpHeaders: version === undefined ? {} : { 'x-api-version': version },
  })),
});

fidelityTable('versioning by media type', {
  application: () => versioned,
  configure: (app) => app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: '1' }),
  rows: versionRows((path, version) => ({
    http: `GET ${path}`,
    httpHeaders: version === undefined ? {} : { accept: `application/json;v=${version}` },
  })),
});

@Controller('panels')
class PanelsController {
  @Operation() @Get(':id') read(@Param('id') id: string, @Param('space') space: string): unknown {
    return handled({ id, space });
  }
}
@Module({ controllers: [PanelsController] })
class PanelsModule {}
@Module({ imports: [PanelsModule] })
class AdminModule {}

fidelityTable('RouterModule', {
  application: () => ({
    imports: [
      AdminModule,
      RouterModule.register([
        { path: 'admin', module: AdminModule, children: [{ path: 'spaces/:space', module: PanelsModule }] },
      ]),
    ],
  }),
  configure: (app) => app.setGlobalPrefix('api'),
  rows: [
    {
      what: 'gives a module its path, with a parameter of its own',
      tool: 'panels__read',
      args: { id: '7', space: 'a/b' },
      http: 'GET /api/admin/spaces/a%2Fb/panels/7',
      status: 200,
      view: content({ id: '7', space: 'a/b' }),
    },
  ],
});

@Controller({ path: 'hosted', host: 'admin.example.com' })
class AdminHostController {
  @Operation({ name: 'admin.read' }) @Get() read(): string {
    return handled('admin');
  }
}
@Controller({ path: 'hosted', host: ['shop.example.com', 'store.example.com'] })
class ShopHostController {
  @Operation({ name: 'shop.read' }) @Get() read(): string {
    return handled('shop');
  }
}
@Controller({ path: 'others', host: ['shop.example.com', 'store.example.com'] })
class OtherController {
  @Operation({ name: 'other.read' }) @Get() read(): string {
    return handled('other');
  }
}

const hosted = (tool: string, path: string, host: string) => ({ tool, http: `GET ${path}`, httpHeaders: { host } });
const admin = hosted('admin__read', '/hosted', 'admin.example.com');
const elsewhere = hosted('admin__read', '/hosted', 'elsewhere.example.com');

fidelityTable('a host', {
  // Fastify does not take one path twice, whatever the hosts are.
  application: (platform) => ({
    controllers: [AdminHostController, OtherController, ...(platform === 'express' ? [ShopHostController] : [])],
  }),
  rows: [
    { what: 'chooses its controller', ...admin, status: 200, view: content('admin') },
    {
      what: 'chooses another controller at the same path',
      on: 'express',
      ...hosted('shop__read', '/hosted', 'shop.example.com'),
      status: 200,
      view: content('shop'),
    },
    {
      what: 'is the first of several',
      ...hosted('other__read', '/others', 'shop.example.com'),
      status: 200,
      view: content('other'),
    },
    {
      what: 'that is none of ours chooses nothing',
      ...elsewhere,
      status: 404,
      view: { refused: { code: 'not_found', message: expect.any(String) as unknown as string } },
      differs: { because: 'a tool call goes to the host of its operation', view: content('admin'), runs: 1 },
    },
  ],
});
