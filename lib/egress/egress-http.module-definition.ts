import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { EgressHttpModuleOptions } from './egress-http.options.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<EgressHttpModuleOptions>(
  {
    optionsInjectionToken: Symbol.for('nestjs-palette:egress:OPTIONS'),
  },
)
  .setClassMethodName('forRoot')
  .build();
