import {
  Body,
  Controller,
  Get,
  Injectable,
  Post,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AgentCalls,
  getPaletteToken,
  Operation,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type AuditRecord,
  type AuditSink,
  type Palette,
} from 'nestjs-palette';
import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { bootApplication, closeApplications, PLATFORMS } from '../support/application.js';

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp().getRequest<{ headers: { authorization?: string }; user?: unknown }>();
    http.user = { id: http.headers.authorization };
    return http.headers.authorization !== 'nobody';
  }
}

class NoteDto {
  @IsString() title!: string;
}

let running = 0;
let mostRunning = 0;

@Controller('notes')
@UseGuards(UserGuard)
class NotesController {
  @Operation() @Post() create(@Body() note: NoteDto): NoteDto {
    return note;
  }
  @Operation() @Get('slow') async slow(): Promise<string> {
    mostRunning = Math.max(mostRunning, ++running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running--;
    return 'slow';
  }
  @Operation() @Get('never') never(): Promise<string> {
    return new Promise(() => undefined);
  }
  @Operation() @Get('broken') broken(): never {
    throw new Error('secret');
  }
  @Operation() @AgentCalls('deny') @Get('people') people(): string {
    return 'people';
  }
  @Operation() @AgentCalls('only') @Get('agents') agents(): string {
    return 'agents';
  }
  @Get('unmarked') unmarked(): string {
    return 'unmarked';
  }
}

@Controller('locked')
@AgentCalls('deny')
class LockedController {
  @Operation() @Get('closed') closed(): string {
    return 'closed';
  }
  @Operation() @AgentCalls('allow') @Get('open') open(): string {
    return 'open';
  }
}

describe.each(PLATFORMS)('the enhancers of the module on %s', (platform) => {
  let records: AuditRecord[] = [];
  let app: INestApplication;

  async function boot(sink: AuditSink = { record: (record) => records.push(record) }): Promise<void> {
    records = [];
    app = await bootApplication(platform, {
      imports: [
        OperationsModule.forRoot({
          dispatch: { httpTimeoutMs: 80, timeoutMs: 200, concurrency: 3 },
          audit: {
            sink,
            http: true,
            principal: (each) => (each as { user?: { id?: string } }).user?.id,
          },
        }),
        OperationsModule.forFeature({ palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('')] }] }),
      ],
      controllers: [NotesController, LockedController],
    });
  }
  beforeEach(() => boot());
  afterEach(closeApplications);

  const context = (authorization: string) => ({
    palette: app.get<Palette>(getPaletteToken('all'), { strict: false }),
    caller: { headers: { authorization } },
  });
  const call = (name: string, args: unknown = {}, who = 'ada') =>
    app.get(OperationDispatcher).dispatch({ id: 'c1', name, arguments: args }, context(who));
  const http = () => request(app.getHttpServer() as never);

  describe('audit', () => {
    it('records a tool call: who, what, how it ended, and nothing of its content', async () => {
      await call('notes__create', { title: 'secret title' });
      expect(records).toEqual([
        {
          surface: 'tool',
          operation: 'notes.create',
          palette: 'all',
          toolCallId: 'c1',
          principal: 'ada',
          outcome: 'ok',
          durationMs: expect.any(Number),
          bytes: 24,
        },
      ]);
      expect(JSON.stringify(records)).not.toContain('secret title');
    });

    it.each([
      ['an unknown tool', 'notes__drop', {}, 'ada', { operation: undefined, outcome: 'tool_unknown' }],
      ['unfit arguments', 'notes__create', {}, 'ada', { operation: 'notes.create', outcome: 'tool_arguments_invalid' }],
      [
        'a refusal of a guard',
        'notes__create',
        { title: 'x' },
        'nobody',
        { outcome: 'forbidden', principal: 'nobody' },
      ],
      ['a time-out', 'notes__never', {}, 'ada', { outcome: 'deadline_exceeded', principal: 'ada' }],
      ['a fault', 'notes__broken', {}, 'ada', { outcome: 'operation_failed', principal: 'ada' }],
    ])('records %s, once', async (_what, name, args, who, expected) => {
      await call(name, args, who).catch(() => undefined);
      expect(records).toEqual([expect.objectContaining({ surface: 'tool', ...expected })]);
    });

    it('records operations over plain HTTP, and no other route', async () => {
      await http().post('/notes').set('authorization', 'ben').send({ title: 'x' }).expect(201);
      await http().get('/notes/unmarked').set('authorization', 'ben').expect(200);
      await http().get('/notes/broken').set('authorization', 'ben').expect(500);
      expect(records).toMatchObject([
        { surface: 'http', operation: 'notes.create', principal: 'ben', outcome: 'ok', bytes: 13 },
        { surface: 'http', operation: 'notes.broken', principal: 'ben', outcome: 'internal_server_error' },
      ]);
    });

    it('does not fail a call whose record the sink refuses', async () => {
      await boot({
        record: () => {
          throw new Error('disk full');
        },
      });
      expect(await call('notes__create', { title: 'x' })).toMatchObject({ isError: false });
    });
  });

  describe('deadlines', () => {
    it('give up a plain request of an operation', async () => {
      const response = await http().get('/notes/never').expect(504);
      expect(response.body).toMatchObject({ code: 'deadline_exceeded' });
      await http().get('/notes/slow').expect(200);
    });
  });

  describe('routes kept to people or to agents', () => {
    it('refuse the others, and let theirs in', async () => {
      expect(await call('notes__people')).toMatchObject({ isError: true, content: { code: 'agent_call_denied' } });
      expect(await call('notes__agents')).toMatchObject({ isError: false, content: 'agents' });
      await http().get('/notes/people').expect(200);
      const refused = await http().get('/notes/agents').expect(403);
      expect(refused.body).toMatchObject({ code: 'agent_call_required' });
    });

    it('hold for a class, and the method has the last word', async () => {
      expect(await call('locked__closed')).toMatchObject({ isError: true, content: { code: 'agent_call_denied' } });
      expect(await call('locked__open')).toMatchObject({ isError: false, content: 'open' });
      await http().get('/locked/closed').expect(200);
    });
  });

  describe('dispatchAll', () => {
    const calls = (...names: string[]) => names.map((name, index) => ({ id: `c${index}`, name, arguments: {} }));

    it('keeps the order of the calls, and each has an outcome', async () => {
      const outcomes = await app
        .get(OperationDispatcher)
        .dispatchAll(calls('notes__slow', 'notes__broken', 'notes__drop', 'notes__agents'), context('ada'));
      expect(outcomes).toMatchObject([
        { status: 'fulfilled', value: { toolCallId: 'c0', content: 'slow' } },
        { status: 'rejected', reason: { code: 'operation_failed' } },
        { status: 'fulfilled', value: { toolCallId: 'c2', isError: true } },
        { status: 'fulfilled', value: { toolCallId: 'c3', content: 'agents' } },
      ]);
    });

    it('runs side by side, no more than it may', async () => {
      const dispatcher = app.get(OperationDispatcher);
      const many = calls(...Array.from({ length: 9 }, () => 'notes__slow'));
      mostRunning = 0;
      await dispatcher.dispatchAll(many, context('ada'));
      expect(mostRunning).toBe(3);
      mostRunning = 0;
      await dispatcher.dispatchAll(many, context('ada'), { concurrency: 1 });
      expect(mostRunning).toBe(1);
      expect(await dispatcher.dispatchAll([], context('ada'))).toEqual([]);
    });
  });
});
