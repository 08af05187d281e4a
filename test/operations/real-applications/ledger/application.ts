import { Module, VersioningType, type Type } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { ApplicationFixture } from '../support/described-application.js';
import {
  AccountsController,
  EnvelopeInterceptor,
  ImportsController,
  TasksController,
  TenantGuard,
} from './controllers.js';

@Module({ controllers: [ImportsController], providers: [EnvelopeInterceptor] })
class ImportsModule {}

/**
 * In the shape of a suite for businesses: operations that every resource inherits, over types that the compiler erases; pipes
 * of a method that know the types; bodies in envelopes; a prefix by module, versions by header.
 */
export function ledger(resources: readonly Type[] = []): ApplicationFixture {
  return {
    metadata: {
      imports: [ImportsModule, RouterModule.register([{ path: 'office', module: ImportsModule }])],
      controllers: [TasksController, AccountsController, ...resources],
      providers: [TenantGuard],
    },
    configure: (app) => {
      app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Api-Version' });
    },
  };
}
