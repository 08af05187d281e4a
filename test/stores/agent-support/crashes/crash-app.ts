import { appendFileSync } from 'node:fs';
import { Body, Controller, Get, Inject, Param, Post, Put, type INestApplication } from '@nestjs/common';
import { IsString } from 'class-validator';
import {
  AgentModule,
  AgentRunner,
  ApprovalsModule,
  ApprovalsService,
  defineAgent,
  functionTool,
  getPaletteToken,
  IdempotencyKey,
  Operation,
  OperationsModule,
  operationsUnder,
  publicApprovals,
  type AgentModuleOptions,
  type AgentStore,
  type FunctionTool,
  type ModelMessage,
  type Palette,
} from 'nestjs-palette';
import { ScriptedModel, type ScriptedReply } from 'nestjs-palette/testing';
import { bootApplication, type Platform } from '../../../support/application.js';
import type { CrashPoints } from './crash-points.js';

export const ANN = { subject: 'ann' };
export const BEN = { subject: 'ben' };
export const CALLER = { headers: { 'x-user': 'ann' } };

/** Where agents and what they do are kept. */
export interface CrashPlace {
  readonly store: AgentStore;
  /** What the transactional operation does: in the transaction, where the store has them. */
  book(conversation: string): Promise<void>;
  /** How often it is booked. */
  booked(conversation: string): Promise<number>;
  close(): Promise<void>;
}

/** What a handler did, outside the ledger. */
export interface Effect {
  readonly what: string;
  readonly conversation: string;
  readonly key: string | undefined;
}

export interface CrashAppOptions {
  readonly place: CrashPlace;
  /** The store as this process reaches it. */
  readonly store: AgentStore;
  readonly points: CrashPoints;
  /** The file of effects, one as JSON a line. */
  readonly effects: string;
  readonly agents?: Partial<AgentModuleOptions>;
}

export interface CrashApp {
  readonly app: INestApplication;
  readonly runner: AgentRunner;
  readonly approvals: ApprovalsService;
  readonly model: ScriptedModel;
}

/** The calls of each step, before the answer. */
export const STEPS: readonly (readonly string[])[] = [
  ['works__look', 'note', 'works__pay'],
  ['works__set', 'works__book'],
];

/** Those that do no harm when they run twice; one more where effects commit together with the ledger. */
export function repeatableCalls({ transaction }: AgentStore): readonly string[] {
  return ['works__look', 'works__set', ...(transaction === undefined ? [] : ['works__book'])];
}

class WorkDto {
  @IsString() conversation!: string;
}

/** Does what a handler does, so that it can be seen from outside. */
type Act = (effect: Effect) => Promise<unknown>;
const ACT = Symbol('act');

@Controller('works')
class WorksController {
  constructor(@Inject(ACT) private readonly act: Act) {}

  @Operation({ description: 'Looks.' })
  @Get(':conversation')
  look(@Param('conversation') conversation: string, @IdempotencyKey() key?: string): Promise<unknown> {
    return this.act({ what: 'look', conversation, key });
  }

  @Operation({ description: 'Sets; twice is as once.' })
  @Put(':conversation')
  set(@Param('conversation') conversation: string, @IdempotencyKey() key?: string): Promise<unknown> {
    return this.act({ what: 'set', conversation, key });
  }

  @Operation({ description: 'Pays.', approval: 'moves money' })
  @Post('pay')
  pay(@Body() { conversation }: WorkDto, @IdempotencyKey() key?: string): Promise<unknown> {
    return this.act({ what: 'pay', conversation, key });
  }

  @Operation({ description: 'Books, or does nothing.', transactional: true })
  @Post('book')
  book(@Body() { conversation }: WorkDto, @IdempotencyKey() key?: string): Promise<unknown> {
    return this.act({ what: 'book', conversation, key });
  }
}

/** An application of one agent. All that ever boot do the same: this one may die on the way. */
export async function bootCrashApp(platform: Platform, options: CrashAppOptions): Promise<CrashApp> {
  const { store, agents } = options;
  const act = actOf(options);
  const model = new ScriptedModel(({ messages }) => replyTo(messages));
  const feature = OperationsModule.forFeature({
    palettes: [{ name: 'works', readOnly: false, include: [operationsUnder('works.')] }],
  });
  const app = await bootApplication(platform, {
    imports: [
      OperationsModule.forRoot({}),
      feature,
      ApprovalsModule.forRoot({ store, authorizer: publicApprovals(), principal: () => ANN, sweepIntervalMs: 0 }),
      AgentModule.forRootAsync({
        imports: [feature],
        inject: [getPaletteToken('works')],
        useFactory: (palette: Palette): AgentModuleOptions => ({
          agents: [defineAgent({ name: 'works', model, palette, tools: [noteTool(act)] })],
          leaseMs: 2_000,
          ...agents,
        }),
      }),
    ],
    controllers: [WorksController],
    providers: [{ provide: ACT, useValue: act }],
  });
  return { app, runner: app.get(AgentRunner), approvals: app.get(ApprovalsService), model };
}

function actOf({ place, points, effects }: CrashAppOptions): Act {
  return async (effect) => {
    if (effect.what === 'book') await place.book(effect.conversation);
    appendFileSync(effects, `${JSON.stringify(effect)}\n`);
    points.pass(`did ${effect.what}`);
    return { did: effect.what };
  };
}

function noteTool(act: Act): FunctionTool {
  return functionTool({
    name: 'note',
    description: 'Writes a note down.',
    input: WorkDto,
    execute: ({ conversation }, { caller }) => act({ what: 'note', conversation, key: caller.idempotencyKey }),
  });
}

/** What the model says is told by the transcript alone: any process goes on where another stopped. */
function replyTo(messages: readonly ModelMessage[]): ScriptedReply {
  const [question] = messages;
  const conversation = question?.role === 'user' ? question.text : '';
  const steps = messages.filter((message) => message.role === 'assistant').length;
  const names = STEPS[steps];
  if (names === undefined) return { text: 'Done.' };
  const calls = names.map((name) => ({ id: `${conversation}-${name}`, name, arguments: { conversation } }));
  return { text: `Step ${steps + 1}.`, toolCalls: calls };
}
