import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import {
  AgentModule,
  ApprovalsModule,
  defineAgent,
  EgressClient,
  EgressHttpModule,
  egressToken,
  getPaletteToken,
  operation,
  OperationsModule,
  Palette,
  type AgentModuleOptions,
  type AgentStore,
  type ApprovalsModuleOptions,
} from 'nestjs-palette';
import { hopTo, modelOf, modelService, type Provider } from '../00-query-agent/model/model.service.js';
import { CannedClerk } from './desk/canned-clerk.js';
import { ConversationsController } from './desk/conversations.controller.js';
import { DeskService } from './desk/desk.service.js';
import { mayDecide } from './desk/may-decide.js';
import { OrdersController } from './orders/orders.controller.js';
import { Payments } from './orders/payments.js';
import { StaffGuard } from './staff/staff.guard.js';
import { StaffModule } from './staff/staff.module.js';
import { StaffService } from './staff/staff.service.js';

export interface AppOptions {
  /** Where conversations, calls and approvals are kept. Whoever boots the application has it, so that it outlives it. */
  readonly store: AgentStore;
  readonly payments: Payments;
  /** Who answers. Default: a canned provider in this process. */
  readonly provider?: Provider | undefined;
}

const desk = OperationsModule.forFeature({
  palettes: [
    {
      name: 'desk',
      readOnly: false,
      include: [operation(OrdersController, 'look'), operation(OrdersController, 'refund')],
    },
  ],
});

@Module({})
export class AppModule {
  static register({ store, payments, provider }: AppOptions): DynamicModule {
    const model = EgressHttpModule.forFeature([modelService]);
    return {
      module: AppModule,
      imports: [
        StaffModule,
        OperationsModule.forRoot({}),
        desk,
        EgressHttpModule.forRoot({ services: { model: { ...hopTo(provider), acknowledgeDataEgress: true } } }),
        model,
        ApprovalsModule.forRootAsync({
          imports: [StaffModule],
          inject: [StaffService],
          guards: [StaffGuard],
          useFactory: (staff: StaffService): ApprovalsModuleOptions => ({
            store,
            authorizer: mayDecide,
            principal: ({ headers }) => staff.personOf(headers['authorization']),
            expiresInMs: 7 * 86_400_000,
          }),
        }),
        AgentModule.forRootAsync({
          imports: [StaffModule, desk, model],
          inject: [StaffService, getPaletteToken('desk'), egressToken(modelService)],
          useFactory: (
            staff: StaffService,
            palette: Palette,
            client: EgressClient<typeof modelService>,
          ): AgentModuleOptions => ({
            agents: [
              defineAgent({
                name: 'desk',
                model: modelOf(client, provider),
                palette,
                system: 'Look orders up and refund them, as the clerk asks. If a tool refuses, say so and why.',
              }),
            ],
            // After a decision, or a restart, nobody's request is at hand: the guard judges them by this.
            resolvePrincipal: async ({ subject }) => {
              const authorization = await staff.authorizationOf(subject);
              return authorization === undefined ? undefined : { headers: { authorization } };
            },
          }),
        }),
      ],
      controllers: [OrdersController, ConversationsController],
      providers: [
        DeskService,
        ...(provider === undefined ? [CannedClerk] : []),
        { provide: Payments, useValue: payments },
        { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, transform: true }) },
      ],
    };
  }
}
