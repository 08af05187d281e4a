import { Controller, Get, Module, VersioningType, type INestApplication } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { expect, it } from '@jest/globals';
import { Operation } from '../../operations/index.js';
import { OperationsModule } from '../../operations.module.js';
import { readSurface } from './application-surface.js';
import { withApplication } from './open-application.js';

@Controller({ path: 'notes', host: 'api.example', version: '2' })
class NotesController {
  @Operation()
  @Get(':id')
  read(): unknown {
    return {};
  }

  @Operation({ name: 'notes.told', kind: 'query' })
  @MessagePattern({ cmd: 'told' })
  told(): unknown {
    return {};
  }

  @Operation({ name: 'notes.words', kind: 'query' })
  @MessagePattern('words')
  words(): unknown {
    return {};
  }
}

@Module({ imports: [OperationsModule.forRoot({})], controllers: [NotesController] })
class NotesModule {}

async function routes(configure?: (app: INestApplication) => void): Promise<readonly (readonly string[])[]> {
  const loaded = { file: import.meta.filename, module: NotesModule, configure };
  const io = { cwd: '', stdout: () => undefined, stderr: () => undefined };
  const surface = await withApplication(loaded, { boot: false, platform: undefined }, io, readSurface);
  return surface.operations.map(({ descriptor, route }) => [descriptor.name, route]);
}

it('tells the headers that a router chooses by, and the patterns of message handlers', async () => {
  const withHeader = await routes((app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' }));
  expect(withHeader).toEqual([
    ['notes.read', 'GET /notes/:id [host: api.example, x-version: 2]'],
    ['notes.told', 'MESSAGE {"cmd":"told"}'],
    ['notes.words', 'MESSAGE words'],
  ]);
});

it('tells of no version that the application does not use', async () => {
  expect(await routes()).toContainEqual(['notes.read', 'GET /notes/:id [host: api.example]']);
});
