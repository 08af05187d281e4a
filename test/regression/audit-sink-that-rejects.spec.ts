import { Controller, Logger, Post, type INestApplication } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  getPaletteToken,
  Operation,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type AuditRecord,
  type AuditSink,
  type Palette,
} from 'nestjs-palette';
import request from 'supertest';
import { bootApplication, closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { watchProcess, type ProcessWatch } from '../support/process-watch.js';
import { connectMessageService } from '../support/message-service.js';

/** Node ends a process over a rejection that nobody handles: a sink of an audit must not have that power. */
@Controller('notes')
class NotesController {
  @Operation() @Post() create(): unknown {
    return { created: true };
  }
  @Operation({ name: 'messages.create' }) @MessagePattern('create') take(): unknown {
    return { created: true };
  }
}

const WAYS = [
  ['a tool call of a route', 'notes.create', (app: INestApplication) => call(app, 'notes__create')],
  ['a tool call of a message handler', 'messages.create', (app: INestApplication) => call(app, 'messages__create')],
  [
    'a plain request',
    'notes.create',
    async (app: INestApplication) => {
      await request(app.getHttpServer() as never)
        .post('/notes')
        .expect(201);
    },
  ],
] as const;

async function call(app: INestApplication, name: string): Promise<void> {
  const palette = app.get<Palette>(getPaletteToken('all'), { strict: false });
  const context = { palette, caller: { headers: {} } };
  const result = await app.get(OperationDispatcher).dispatch({ id: 'c1', name, arguments: {} }, context);
  expect(result).toMatchObject({ isError: false, content: { created: true } });
}

describe.each(PLATFORMS)('a sink of the audit on %s', (platform) => {
  let watch: ProcessWatch;
  let log: jest.SpiedFunction<Logger['error']>;

  const boot = (sink: AuditSink): Promise<INestApplication> =>
    bootApplication(
      platform,
      {
        imports: [
          OperationsModule.forRoot({ audit: { http: true, sink } }),
          OperationsModule.forFeature({ palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('')] }] }),
        ],
        controllers: [NotesController],
      },
      {
        configure: connectMessageService,
      },
    );

  beforeEach(() => {
    watch = watchProcess();
    log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    watch.stop();
    log.mockRestore();
    await closeApplications();
  });

  it.each(WAYS)('that rejects the record of %s is complained of, and ends nothing', async (_way, operation, act) => {
    await act(await boot({ record: () => Promise.reject(new TypeError('secret of the database')) }));
    await eventually(() => expect(log).toHaveBeenCalledTimes(1));
    expect(log).toHaveBeenCalledWith(`A call of ${operation} was not recorded: the audit sink threw TypeError.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(watch.rejections).toEqual([]);
  });

  it.each(WAYS)('that takes its time over the record of %s gets it', async (_way, operation, act) => {
    const written: AuditRecord[] = [];
    const record = async (each: AuditRecord): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      written.push(each);
    };
    await act(await boot({ record }));
    await eventually(() => expect(written).toMatchObject([{ operation, outcome: 'ok' }]));
    expect(log).not.toHaveBeenCalled();
  });
});
