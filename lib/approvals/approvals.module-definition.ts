import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';
import type { ApprovalsModuleOptions } from './options/approvals.options.js';
import { approvalsController, type ApprovalsRoutes } from './routes/approvals.controller.js';

/** What has to be known before any provider is made. */
export interface ApprovalsModuleExtras extends ApprovalsRoutes {
  /** What the guards of the routes need. Default: nothing. */
  readonly imports?: ModuleMetadata['imports'];
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<ApprovalsModuleOptions>({
  optionsInjectionToken: Symbol.for('nestjs-palette:approvals:OPTIONS'),
})
  .setClassMethodName('forRoot')
  .setExtras<ApprovalsModuleExtras>({}, (definition, { imports = [], ...routes }) => ({
    ...definition,
    global: true,
    imports: [...(definition.imports ?? []), ...imports],
    controllers: [approvalsController(routes)],
  }))
  .build();
