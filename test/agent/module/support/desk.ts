import { ValidationPipe, type INestApplication } from '@nestjs/common';
import {
  AgentModule,
  AgentRunner,
  ApprovalsModule,
  defineAgent,
  getPaletteToken,
  InMemoryAgentStore,
  OperationsModule,
  operationsUnder,
  type AgentEvent,
  type AgentModuleOptions,
  type AgentRunRequest,
  type AgentStore,
  type ApprovalRecord,
  type ApprovalsModuleOptions,
  type FunctionTool,
  type Model,
  type Palette,
  type PaletteOptions,
} from 'nestjs-palette';
import request from 'supertest';
import { authorizer } from '../../../approvals/support/approving.js';
import { as, personOf, principal, TokenGuard } from '../../../approvals/support/people.js';
import { RefundsController } from '../../../approvals/support/refunds.js';
import { bootApplication, type Platform } from '../../../support/application.js';

export interface DeskOptions {
  readonly model: Model;
  readonly store?: AgentStore;
  readonly agents?: Partial<AgentModuleOptions>;
  readonly approvals?: Partial<ApprovalsModuleOptions>;
  readonly tools?: readonly FunctionTool[];
  /** Default: `desk`. */
  readonly agentName?: string;
  /** What the palette holds. Default: all refunds. */
  readonly include?: PaletteOptions['include'];
}

/** An application whose agent refunds; a second one on the same store is another replica, or the first after a restart. */
export interface Desk {
  readonly app: INestApplication;
  readonly store: AgentStore;
  readonly runner: AgentRunner;
  say(message: string | undefined, more?: Partial<AgentRunRequest>): AsyncGenerator<AgentEvent>;
  /** Decides over HTTP, on what is stored. */
  decide(person: string, approvalId: string, body?: object): Promise<number>;
  pending(): Promise<readonly ApprovalRecord[]>;
}

/** Resolves a stored principal to the token that this application would give it. */
export const resolvePrincipal: NonNullable<AgentModuleOptions['resolvePrincipal']> = ({ subject }) => as(subject);

export async function bootDesk(platform: Platform, options: DeskOptions): Promise<Desk> {
  const store = options.store ?? new InMemoryAgentStore();
  const desk = OperationsModule.forFeature({
    palettes: [{ name: 'desk', readOnly: false, include: options.include ?? [operationsUnder('refunds.')] }],
  });
  const app = await bootApplication(
    platform,
    {
      imports: [
        OperationsModule.forRoot({}),
        desk,
        ApprovalsModule.forRoot({ store, authorizer, principal, guards: [TokenGuard], ...options.approvals }),
        AgentModule.forRootAsync({
          imports: [desk],
          inject: [getPaletteToken('desk')],
          useFactory: (palette: Palette): AgentModuleOptions => ({
            agents: [
              defineAgent({
                name: options.agentName ?? 'desk',
                model: options.model,
                palette,
                tools: options.tools ?? [],
              }),
            ],
            ...options.agents,
          }),
        }),
      ],
      controllers: [RefundsController],
    },
    {
      configure: (created) =>
        created.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true })),
    },
  );
  return deskOf(app, store);
}

function deskOf(app: INestApplication, store: AgentStore): Desk {
  const runner = app.get(AgentRunner);
  const ann = personOf('Bearer ann') ?? { subject: 'ann' };
  return {
    app,
    store,
    runner,
    say: (message, more = {}) =>
      runner.run({
        conversation: 'c-1',
        principal: ann,
        caller: as('ann'),
        ...(message !== undefined && { message }),
        ...more,
      }),
    decide: async (person, approvalId, body = {}) => {
      const { argumentsHash } = (await store.approval(approvalId)) ?? {};
      const { status } = await request(app.getHttpServer() as never)
        .post(`/approvals/${approvalId}/decision`)
        .set('authorization', `Bearer ${person}`)
        .send({ verdict: 'approve', argumentsHash, ...body });
      return status;
    },
    pending: async () => (await store.approvals({ states: ['pending'] })).approvals,
  };
}
