import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import {
  AgentModule,
  EgressClient,
  EgressHttpModule,
  egressToken,
  getPaletteToken,
  OperationsModule,
  operationsUnder,
  type AgentModuleOptions,
  type Palette,
} from 'nestjs-palette';
import { hopTo, modelOf, modelService, type Provider } from '../00-query-agent/model/model.service.js';
import { InvoicesController } from './billing/invoices.controller.js';
import { CustomersModule } from './customers/customers.module.js';
import { CannedProvider } from './model/canned-provider.js';
import { OrdersController } from './orders/orders.controller.js';
import { agentsOf } from './talk/agents.js';
import { TalkController } from './talk/talk.controller.js';

@Module({})
export class AppModule {
  /** @param provider who answers; undefined: a canned provider in this process */
  static register(provider?: Provider): DynamicModule {
    const acknowledgeDataEgress = { by: 'the sample', reason: 'its customers are made up', on: '2026-01-01' };
    const palettes = OperationsModule.forFeature({
      palettes: [
        { name: 'orders', include: [operationsUnder('orders.')] },
        { name: 'billing', readOnly: false, include: [operationsUnder('invoices.')] },
      ],
    });
    const model = EgressHttpModule.forFeature([modelService]);
    return {
      module: AppModule,
      imports: [
        CustomersModule,
        OperationsModule.forRoot({}),
        palettes,
        EgressHttpModule.forRoot({ services: { model: { ...hopTo(provider), acknowledgeDataEgress } } }),
        model,
        AgentModule.forRootAsync({
          imports: [palettes, model],
          inject: [egressToken(modelService), getPaletteToken('orders'), getPaletteToken('billing')],
          useFactory: (
            client: EgressClient<typeof modelService>,
            orders: Palette,
            billing: Palette,
          ): AgentModuleOptions => ({ agents: agentsOf(modelOf(client, provider), { orders, billing }) }),
        }),
      ],
      controllers: [OrdersController, InvoicesController, TalkController],
      providers: [
        ...(provider === undefined ? [CannedProvider] : []),
        { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, transform: true }) },
      ],
    };
  }
}
