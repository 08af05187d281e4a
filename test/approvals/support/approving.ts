import { ValidationPipe, type INestApplication } from '@nestjs/common';
import {
  ApprovalsModule,
  ApprovalsService,
  getPaletteToken,
  InMemoryAgentStore,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type AgentStore,
  type ApprovalAccess,
  type ApprovalRecord,
  type ApprovalsModuleOptions,
  type ApprovalsRoutes,
  type OperationsModuleOptions,
  type Palette,
  type PaletteOptions,
  type Principal,
  type ToolResult,
} from 'nestjs-palette';
import request from 'supertest';
import { bootApplication, type ApplicationOptions, type Platform } from '../../support/application.js';
import { as, personOf, principal, TokenGuard } from './people.js';
import { RefundsController } from './refunds.js';

export const REFUND = { order: 'o-1', amount: 10 };

/** Approvers decide, operators look after calls whose outcome is unknown, and everybody of the tenant sees. */
export function authorizer({ action, by }: ApprovalAccess): boolean {
  const scopes = by.scopes ?? [];
  if (action === 'operate') return scopes.includes('operator');
  return action === 'see' || scopes.includes('approver');
}

export interface ApprovingOptions extends ApplicationOptions {
  readonly approvals?: Partial<ApprovalsModuleOptions> & ApprovalsRoutes;
  readonly store?: AgentStore;
  readonly operations?: OperationsModuleOptions;
  readonly palettes?: readonly PaletteOptions[];
}

export interface Approving {
  readonly app: INestApplication;
  readonly store: AgentStore;
  readonly service: ApprovalsService;
  palette(name?: string): Palette;
  call(person: string, tool: string, args: unknown, more?: CallOptions): Promise<ToolResult>;
  /** Proposes on somebody's behalf; a failure where it does not wait. */
  propose(person: string, tool: string, args: unknown, more?: ProposeOptions): Promise<ApprovalRecord>;
  http(person: string | undefined, method: 'get' | 'post', path: string, body?: object): Promise<HttpAnswer>;
  /** Decides over HTTP, on what is stored unless told otherwise. */
  decide(person: string, approval: ApprovalRecord, body?: object): Promise<HttpAnswer>;
}

interface CallOptions {
  readonly approvalId?: string;
  readonly palette?: string;
  readonly id?: string;
  readonly grant?: never;
}

interface ProposeOptions {
  readonly palette?: string;
  readonly id?: string;
  readonly runId?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** An application whose refunds wait for a person. A second one on the same store is the first after a restart. */
export async function bootApproving(platform: Platform, options: ApprovingOptions = {}): Promise<Approving> {
  const store = options.store ?? new InMemoryAgentStore();
  const app = await bootApplication(
    platform,
    {
      imports: [
        OperationsModule.forRoot(options.operations ?? {}),
        OperationsModule.forFeature({
          palettes: options.palettes ?? [{ name: 'desk', readOnly: false, include: [operationsUnder('refunds.')] }],
        }),
        ApprovalsModule.forRoot({ store, authorizer, principal, guards: [TokenGuard], ...options.approvals }),
      ],
      controllers: [RefundsController],
    },
    {
      configure: (created) => {
        created.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
        options.configure?.(created);
      },
    },
  );
  return approving(app, store);
}

function approving(app: INestApplication, store: AgentStore): Approving {
  const service = app.get(ApprovalsService);
  const palette = (name = 'desk') => app.get<Palette>(getPaletteToken(name), { strict: false });
  const http: Approving['http'] = async (person, method, path, body) => {
    let sent = request(app.getHttpServer() as never)[method](path);
    if (person !== undefined) sent = sent.set('authorization', `Bearer ${person}`);
    const { status, body: answer } = await (body === undefined ? sent : sent.send(body));
    return { status, body: answer as Record<string, unknown> };
  };
  return {
    app,
    store,
    service,
    palette,
    http,
    call: (person, name, args, { id = 'c-1', approvalId, palette: from } = {}) =>
      app
        .get(OperationDispatcher)
        .dispatch(
          { id, name, arguments: args },
          { palette: palette(from), caller: as(person), ...(approvalId === undefined ? {} : { approvalId }) },
        ),
    propose: async (person, name, args, { id = 'c-1', palette: from, ...more } = {}) => {
      const context = { palette: palette(from), caller: as(person), principal: personOf(person) as Principal, ...more };
      const outcome = await service.propose({ id, name, arguments: args }, context);
      if (outcome.kind !== 'waiting') throw new Error(`expected it to wait, and it is ${outcome.kind}`);
      return outcome.approval;
    },
    decide: (person, { approvalId, argumentsHash }, body = {}) =>
      http(person, 'post', `/approvals/${approvalId}/decision`, { verdict: 'approve', argumentsHash, ...body }),
  };
}

export function codeOf({ content }: ToolResult): unknown {
  return (content as { code?: unknown }).code;
}
