import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type INestApplication,
} from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import { Operation, OperationsModule } from 'nestjs-palette';
import { manyOperations } from './many-operations.js';
import { heapMegabytes, heapRow, measure, microsecondsPerCall, type BenchRow } from './measure.js';
import { baseUrl, CALLER, dispatcherOf, listening, type Platform } from './platforms.js';

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class TokenGuard extends OpenGuard {}

@Injectable()
class RolesGuard extends OpenGuard {}

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

  @Operation()
  @Post('guarded')
  @UseGuards(TokenGuard, RolesGuard)
  guarded(@Body(new ValidationPipe({ transform: true, whitelist: true })) note: NoteDto): unknown {
    return note;
  }

  @Operation()
  @Get('slow/:id')
  async slow(@Param('id') id: string): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { id };
  }
}

@Module({
  imports: [
    // One debug line a call is not what is measured here.
    OperationsModule.forRoot({ audit: { sink: { record: () => undefined } } }),
    OperationsModule.forFeature({
      palettes: [
        {
          name: 'notes',
          readOnly: false,
          include: ['notes.read', 'notes.create', 'notes.guarded', 'notes.slow'],
        },
      ],
    }),
  ],
  controllers: [NotesController],
})
class NotesModule {}

const NOTE = { title: 'A note', priority: 2 };

/** A dispatch against `fetch` to the application's own port, same route. */
export async function* dispatch(): AsyncGenerator<BenchRow> {
  for (const platform of ['fastify', 'express'] as const) {
    const app = await listening(platform, NotesModule);
    try {
      yield await againstFetch(platform, app, 'GET /notes/:id', 'notes__read', { id: '7' }, '/notes/7');
      yield await againstFetch(platform, app, 'POST /notes', 'notes__create', NOTE, '/notes');
      yield await againstFetch(
        platform,
        app,
        'with ValidationPipe, 3 guards',
        'notes__guarded',
        NOTE,
        '/notes/guarded',
      );
      yield await sideBySide(platform, app);
      yield await heapAfterManyCalls(platform, app);
    } finally {
      await app.close();
    }
    yield await manyAgainstFew(platform);
  }
}

function againstFetch(
  platform: Platform,
  app: INestApplication,
  what: string,
  tool: string,
  args: object,
  path: string,
): Promise<BenchRow> {
  const { one } = dispatcherOf(app, 'notes');
  const url = `${baseUrl(app)}${path}`;
  const init =
    tool === 'notes__read'
      ? { headers: CALLER.headers }
      : {
          method: 'POST',
          headers: { ...CALLER.headers, 'content-type': 'application/json' },
          body: JSON.stringify(args),
        };
  return measure({
    bench: 'dispatch',
    row: `${platform}: ${what} against fetch`,
    unit: 'us/call',
    maxRatio: platform === 'fastify' ? 0.2 : 0.4,
    rounds: 9,
    ours: () => microsecondsPerCall(1_500, () => one(tool, args)),
    other: () => microsecondsPerCall(1_500, async () => (await fetch(url, init)).json()),
  });
}

/** Eight calls of one turn that each wait 5 ms: side by side against one after the other. */
function sideBySide(platform: Platform, app: INestApplication): Promise<BenchRow> {
  const { all } = dispatcherOf(app, 'notes');
  const calls = Array.from({ length: 8 }, (_, index) => ({
    id: `${index}`,
    name: 'notes__slow',
    arguments: { id: `${index}` },
  }));
  return measure({
    bench: 'dispatch',
    row: `${platform}: dispatchAll of 8 against 8 in turn`,
    unit: 'us/turn',
    maxRatio: 0.3,
    rounds: 7,
    ours: () => microsecondsPerCall(10, () => all(calls)),
    other: () => microsecondsPerCall(10, () => all(calls, 1)),
  });
}

/** No work of a call may grow with the number of operations. Both applications have the same routes. */
async function manyAgainstFew(platform: Platform): Promise<BenchRow> {
  const many = await listening(platform, manyOperations(5_000, 5_000));
  const few = await listening(platform, manyOperations(5_000, 100));
  const [ours, other] = [dispatcherOf(many, 'all'), dispatcherOf(few, 'all')];
  try {
    return await measure({
      bench: 'dispatch',
      row: `${platform}: 5,000 operations against 100`,
      unit: 'us/call',
      maxRatio: 1.2,
      rounds: 11,
      ours: () => microsecondsPerCall(1_500, () => ours.one('resource0__read0', { id: '7' })),
      other: () => microsecondsPerCall(1_500, () => other.one('resource0__read0', { id: '7' })),
    });
  } finally {
    await Promise.all([many.close(), few.close()]);
  }
}

async function heapAfterManyCalls(platform: Platform, app: INestApplication): Promise<BenchRow> {
  const { one } = dispatcherOf(app, 'notes');
  const run = (calls: number): Promise<number> => microsecondsPerCall(calls, () => one('notes__read', { id: '7' }));
  await run(1_000);
  const before = await heapMegabytes();
  await run(100_000);
  const after = await heapMegabytes();
  return heapRow('dispatch', `${platform}: heap after 100,000 against 1,000 calls`, after, before);
}
