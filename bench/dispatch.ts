import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  UseGuards,
  type CanActivate,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IsInt, IsString } from 'class-validator';
import { getPaletteToken, Operation, OperationDispatcher, OperationsModule, type Palette } from 'nestjs-palette';
import { heapMegabytes, measure, microsecondsPerCall, round, type BenchRow } from './measure.js';

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

class NoteDto {
  @IsString() title!: string;
  @IsInt() priority!: number;
}

@Controller('notes')
@UseGuards(OpenGuard)
class NotesController {
  @Operation()
  @Get(':id')
  read(@Param('id') id: string): unknown {
    return { id, title: 'A note', body: 'Some text of the note.' };
  }

  @Operation()
  @Post()
  create(@Body() note: NoteDto): unknown {
    return note;
  }
}

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({
      palettes: [{ name: 'notes', readOnly: false, include: ['notes.read', 'notes.create'] }],
    }),
  ],
  controllers: [NotesController],
})
class NotesModule {}

const CALLER = { headers: { authorization: 'Bearer x' } };

/** A dispatch against `fetch` to the application's own port, same route. */
export async function* dispatch(): AsyncGenerator<BenchRow> {
  for (const platform of ['fastify', 'express'] as const) {
    const adapter = platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
    const app = await NestFactory.create(NotesModule, adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      yield await getAgainstFetch(platform, app);
      yield await postAgainstFetch(platform, app);
      yield await heapAfterManyCalls(platform, app);
    } finally {
      await app.close();
    }
  }
}

function getAgainstFetch(platform: string, app: INestApplication): Promise<BenchRow> {
  const url = `${baseUrl(app)}/notes/7`;
  const dispatchCall = dispatcherOf(app);
  return measure({
    bench: 'dispatch',
    row: `${platform}: GET /notes/:id against fetch`,
    unit: 'us/call',
    maxRatio: platform === 'fastify' ? 0.2 : 0.4,
    rounds: 9,
    ours: () => microsecondsPerCall(1_500, () => dispatchCall('notes__read', { id: '7' })),
    other: () => microsecondsPerCall(1_500, async () => (await fetch(url, { headers: CALLER.headers })).json()),
  });
}

function postAgainstFetch(platform: string, app: INestApplication): Promise<BenchRow> {
  const note = { title: 'A note', priority: 2 };
  const dispatchCall = dispatcherOf(app);
  const init = {
    method: 'POST',
    headers: { ...CALLER.headers, 'content-type': 'application/json' },
    body: JSON.stringify(note),
  };
  return measure({
    bench: 'dispatch',
    row: `${platform}: POST /notes against fetch`,
    unit: 'us/call',
    maxRatio: platform === 'fastify' ? 0.2 : 0.4,
    rounds: 9,
    ours: () => microsecondsPerCall(1_500, () => dispatchCall('notes__create', note)),
    other: () => microsecondsPerCall(1_500, async () => (await fetch(`${baseUrl(app)}/notes`, init)).json()),
  });
}

async function heapAfterManyCalls(platform: string, app: INestApplication): Promise<BenchRow> {
  const dispatchCall = dispatcherOf(app);
  const run = (calls: number): Promise<number> =>
    microsecondsPerCall(calls, () => dispatchCall('notes__read', { id: '7' }));
  await run(1_000);
  const before = await heapMegabytes();
  await run(100_000);
  const after = await heapMegabytes();
  return {
    bench: 'dispatch',
    row: `${platform}: heap after 100,000 against 1,000 calls`,
    ours: round(after),
    other: round(before),
    unit: 'MB',
    ratio: round(after / before),
    goal: 'within 10 MB',
    met: after - before <= 10,
  };
}

/** Looks up once what an application injects once. */
function dispatcherOf(app: INestApplication): (name: string, args: object) => Promise<void> {
  const palette = app.get<Palette>(getPaletteToken('notes'), { strict: false });
  const dispatcher = app.get(OperationDispatcher);
  return async (name, args) => {
    const result = await dispatcher.dispatch({ id: '1', name, arguments: args }, { palette, caller: CALLER });
    if (result.isError) throw new Error(`dispatch was refused: ${JSON.stringify(result.content)}`);
  };
}

function baseUrl(app: INestApplication): string {
  const { port } = (app.getHttpServer() as { address(): { port: number } }).address();
  return `http://127.0.0.1:${port}`;
}
