import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';
import type { AgentModuleOptions } from './agent.options.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<AgentModuleOptions>({
  optionsInjectionToken: Symbol.for('nestjs-palette:agent:OPTIONS'),
})
  .setClassMethodName('forRoot')
  .setExtras<{ readonly imports?: ModuleMetadata['imports'] }>({}, (definition, { imports = [] }) => ({
    ...definition,
    global: true,
    imports: [...(definition.imports ?? []), ...imports],
  }))
  .build();
