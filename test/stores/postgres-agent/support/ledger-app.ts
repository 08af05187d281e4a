import { Body, ConflictException, Controller, Post, type INestApplication } from '@nestjs/common';
import { IsIn, IsOptional, IsString } from 'class-validator';
import {
  AgentModule,
  AgentRunner,
  ApprovalsModule,
  ApprovalsService,
  defineAgent,
  getPaletteToken,
  IdempotencyKey,
  Operation,
  OperationDispatcher,
  OperationsModule,
  publicApprovals,
  type AgentModuleOptions,
  type AgentStore,
  type Model,
  type OperationsModuleOptions,
  type Palette,
  type ToolResult,
} from 'nestjs-palette';
import { currentTransaction } from 'nestjs-palette/postgres';
import type { Pool } from 'pg';
import { bootApplication, type Platform } from '../../../support/application.js';

const HOW = ['refuse', 'throw', 'collide', 'wait', 'sleep'] as const;

/** How a booking goes on after its first row: well, unless it says otherwise. */
export type How = (typeof HOW)[number];

export class BookingDto {
  @IsString() id!: string;
  @IsOptional() @IsIn(HOW) how?: How;
}

/** What handlers share with tests. */
export const desk: {
  /** Outside any transaction of the store, as for plain HTTP. */
  pool?: Pool;
  table: string;
  /** The keys that handlers were run with, in order. */
  readonly keys: (string | undefined)[];
  /** Called in a handler after its first row. */
  during?: (() => Promise<unknown>) | undefined;
  /** What a handler that waits waits for. */
  until?: Promise<unknown>;
  /** What a handler that waited tried then, each in its own way, and what came of it. */
  readonly late: string[];
} = { table: '', keys: [], late: [] };

/** As an application writes: in the transaction where there is one, else by itself. */
async function write(id: string): Promise<void> {
  const client = currentTransaction()?.client ?? desk.pool;
  await client?.query(`INSERT INTO ${desk.table} VALUES ($1)`, [id]);
}

async function book({ id, how }: BookingDto, key: string | undefined): Promise<unknown> {
  desk.keys.push(key);
  const client = currentTransaction()?.client;
  await write(id);
  await desk.during?.();
  if (how === 'refuse') throw new ConflictException('sold out');
  if (how === 'throw') throw new Error('the handler broke');
  // What it swallows has spoilt the transaction all the same.
  if (how === 'collide') await write(id).catch(() => undefined);
  if (how === 'sleep') await client?.query('SELECT pg_sleep(3)');
  if (how === 'wait') {
    await desk.until;
    await tried(() => write(`${id} late`));
    await tried(async () => client?.query(`INSERT INTO ${desk.table} VALUES ($1)`, [`${id} later`]));
  }
  return { id, isTransactional: client !== undefined };
}

async function tried(late: () => Promise<unknown>): Promise<void> {
  desk.late.push(
    await late().then(
      () => 'done',
      (error: { readonly code?: unknown }) => String(error.code),
    ),
  );
}

@Controller('bookings')
export class BookingsController {
  @Operation({ description: 'Book.', transactional: true })
  @Post()
  add(@Body() booking: BookingDto, @IdempotencyKey() key?: string): Promise<unknown> {
    return book(booking, key);
  }

  @Operation({ description: 'Book what costs.', transactional: true, approval: 'costs money' })
  @Post('gated')
  gated(@Body() booking: BookingDto, @IdempotencyKey() key?: string): Promise<unknown> {
    return book(booking, key);
  }
}

export const ANN = { subject: 'ann' };
export const CALLER = { headers: { 'x-user': 'ann' } };

export interface LedgerAppOptions {
  readonly store: AgentStore;
  readonly model: Model;
  readonly agents?: Partial<AgentModuleOptions>;
  readonly operations?: OperationsModuleOptions;
  /** How long a call of the application's own stays claimed when its process dies, in milliseconds. */
  readonly leaseMs?: number;
}

export interface LedgerApp {
  readonly app: INestApplication;
  readonly runner: AgentRunner;
  /** Proposes and approves a gated booking of a loop of the application's own. */
  approved(
    booking: BookingDto,
  ): Promise<{ readonly approvalId: string; readonly conversationId: string; readonly callId: string }>;
  /** Asks for it to be run. */
  dispatch(booking: BookingDto, approvalId: string): Promise<ToolResult>;
}

export async function bootLedgerApp(platform: Platform, options: LedgerAppOptions): Promise<LedgerApp> {
  const { store, model, agents, operations = {}, leaseMs = 30_000 } = options;
  const feature = OperationsModule.forFeature({
    palettes: [{ name: 'desk', readOnly: false, include: ['bookings.add', 'bookings.gated'] }],
  });
  const app = await bootApplication(platform, {
    imports: [
      OperationsModule.forRoot(operations),
      feature,
      ApprovalsModule.forRoot({ store, authorizer: publicApprovals(), principal: () => ANN, leaseMs }),
      AgentModule.forRootAsync({
        imports: [feature],
        inject: [getPaletteToken('desk')],
        useFactory: (palette: Palette): AgentModuleOptions => ({
          agents: [defineAgent({ name: 'desk', model, palette })],
          ...agents,
        }),
      }),
    ],
    controllers: [BookingsController],
  });
  const palette = app.get<Palette>(getPaletteToken('desk'), { strict: false });
  const callOf = (booking: BookingDto) => ({ id: 'c-1', name: 'bookings__gated', arguments: { ...booking } });
  return {
    app,
    runner: app.get(AgentRunner),
    dispatch: (booking, approvalId) =>
      app.get(OperationDispatcher).dispatch(callOf(booking), { palette, caller: CALLER, approvalId }),
    approved: async (booking) => {
      const approvals = app.get(ApprovalsService);
      const proposed = await approvals.propose(callOf(booking), { palette, caller: CALLER, principal: ANN });
      if (proposed.kind !== 'waiting') throw new Error(`it is ${proposed.kind}`);
      const { approvalId, argumentsHash } = proposed.approval;
      await approvals.decide({ subject: 'ben' }, approvalId, { verdict: 'approve', argumentsHash });
      return proposed.approval;
    },
  };
}
