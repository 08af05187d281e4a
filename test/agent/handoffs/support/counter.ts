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
  type FunctionTool,
  type Palette,
} from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import request from 'supertest';
import { authorizer } from '../../../approvals/support/approving.js';
import { as, personOf, principal, TokenGuard } from '../../../approvals/support/people.js';
import { RefundsController } from '../../../approvals/support/refunds.js';
import { bootApplication, type Platform } from '../../../support/application.js';
import { collect } from '../../run/support/running.js';
import { InvoicesController } from './invoices.controller.js';

export interface CounterOptions {
  readonly triage?: readonly ScriptedStep[];
  readonly clerk?: readonly ScriptedStep[];
  /** Of triage. */
  readonly tools?: readonly FunctionTool[];
  readonly store?: AgentStore;
}

/**
 * An application with two agents: triage pays refunds, which a person must approve, and hands over to the clerk, who looks invoices
 * up, which only their owner may. A second one on the same store is the first after a restart.
 */
export interface Counter {
  readonly app: INestApplication;
  readonly store: AgentStore;
  readonly models: { readonly triage: ScriptedModel; readonly clerk: ScriptedModel };
  say(person: string, message: string | undefined, more?: Partial<AgentRunRequest>): Promise<AgentEvent[]>;
  decide(approvalId: string, verdict?: 'approve' | 'deny'): Promise<void>;
}

export async function bootCounter(platform: Platform, options: CounterOptions = {}): Promise<Counter> {
  const store = options.store ?? new InMemoryAgentStore();
  const models = { triage: new ScriptedModel(options.triage ?? []), clerk: new ScriptedModel(options.clerk ?? []) };
  const palettes = OperationsModule.forFeature({
    palettes: [
      { name: 'refunds', readOnly: false, include: [operationsUnder('refunds.')] },
      { name: 'invoices', include: [operationsUnder('invoices.')] },
    ],
  });
  const app = await bootApplication(
    platform,
    {
      imports: [
        OperationsModule.forRoot({ dispatch: { forwardHeaders: ['x-trace'] } }),
        palettes,
        ApprovalsModule.forRoot({ store, authorizer, principal, guards: [TokenGuard] }),
        AgentModule.forRootAsync({
          imports: [palettes],
          inject: [getPaletteToken('refunds'), getPaletteToken('invoices')],
          useFactory: (refunds: Palette, invoices: Palette): AgentModuleOptions => ({
            agents: [
              defineAgent({
                name: 'triage',
                model: models.triage,
                palette: refunds,
                tools: options.tools ?? [],
                handoffs: ['clerk'],
              }),
              defineAgent({ name: 'clerk', model: models.clerk, palette: invoices, handoffs: ['triage'] }),
            ],
          }),
        }),
      ],
      controllers: [RefundsController, InvoicesController],
    },
    {
      configure: (created) =>
        created.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true })),
    },
  );
  return {
    app,
    store,
    models,
    say: (person, message, more = {}) =>
      collect(
        app.get(AgentRunner).run({
          conversation: 'c-1',
          principal: personOf(`Bearer ${person}`) ?? { subject: person },
          caller: as(person),
          ...(message !== undefined && { message }),
          ...more,
        }),
      ),
    decide: (approvalId, verdict = 'approve') => decided(app, store, approvalId, verdict),
  };
}

async function decided(app: INestApplication, store: AgentStore, approvalId: string, verdict: string): Promise<void> {
  const { argumentsHash } = (await store.approval(approvalId)) ?? {};
  await request(app.getHttpServer() as never)
    .post(`/approvals/${approvalId}/decision`)
    .set('authorization', 'Bearer ben')
    .send({ verdict, argumentsHash })
    .expect(200);
}
