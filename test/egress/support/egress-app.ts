import { Test } from '@nestjs/testing';
import type { INestApplicationContext } from '@nestjs/common';
import {
  EgressClient,
  EgressHandlers,
  EgressHttpModule,
  egressToken,
  type EgressHttpModuleOptions,
  type EgressService,
  type EgressServiceOptions,
} from '../../../lib/egress/index.js';

export interface EgressApp<Service extends EgressService> {
  readonly app: INestApplicationContext;
  readonly client: EgressClient<Service>;
  readonly handlers: EgressHandlers;
}

/** Boots an application with one declared service. */
export async function egressApp<Service extends EgressService>(
  service: Service,
  options: EgressServiceOptions,
  root: Omit<EgressHttpModuleOptions, 'services'> = {},
): Promise<EgressApp<Service>> {
  const app = await Test.createTestingModule({
    imports: [
      EgressHttpModule.forRoot({ ...root, services: { [service.name]: options } }),
      EgressHttpModule.forFeature([service]),
    ],
  }).compile();
  await app.init();
  return {
    app,
    client: app.get<EgressClient<Service>>(egressToken(service), { strict: false }),
    handlers: app.get(EgressHandlers, { strict: false }),
  };
}
