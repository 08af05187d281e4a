import { Module, type ConfigurableModuleAsyncOptions, type DynamicModule, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { BootFaults } from '../common/index.js';
import { reportDeclarationFaults } from './declaration/declaration-faults.js';
import type { EgressService } from './declaration/egress-service.js';
import { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } from './egress-http.module-definition.js';
import type { EgressHttpModuleOptions } from './egress-http.options.js';
import { EgressManifest } from './egress-manifest.js';
import { EgressRuntime } from './egress-runtime.js';
import { EGRESS_FEATURE } from './egress.tokens.js';
import { readOptions } from './gate/read-options.js';
import { EgressHandlers } from './handlers/egress-handlers.js';

const rootProviders: Provider[] = [
  {
    provide: EgressRuntime,
    useFactory: (options: unknown, modules: ModulesContainer) => new EgressRuntime(options, modules),
    inject: [MODULE_OPTIONS_TOKEN, ModulesContainer],
  },
  { provide: EgressHandlers, useFactory: (runtime: EgressRuntime) => runtime.handlers, inject: [EgressRuntime] },
  { provide: EgressManifest, useFactory: (runtime: EgressRuntime) => runtime.manifest, inject: [EgressRuntime] },
];

/**
 * Declared outbound HTTP. An application imports `forRoot` (or `forRootAsync`) once, with every service it may call, and
 * `forFeature` wherever a module calls one. A service that carries sensitive data and that nobody acknowledged keeps the
 * application from booting.
 */
@Module({})
export class EgressHttpModule extends ConfigurableModuleClass {
  /**
   * Configures every service. The configuration is checked here and now, before Nest runs: with `logger: false` Nest ends
   * the process without a word when a provider fails.
   *
   * @throws PaletteBootError `http_egress_unacknowledged`, `egress_base_url_invalid`, `egress_cleartext`,
   * `egress_options_invalid`; all faults at once.
   */
  static override forRoot(options: EgressHttpModuleOptions): DynamicModule {
    const faults = new BootFaults();
    readOptions(options, faults);
    faults.throwIfAny();
    return rootModule(super.forRoot(options));
  }

  /** As `forRoot`, with options that are known later; they are checked as soon as they are. */
  static override forRootAsync(options: ConfigurableModuleAsyncOptions<EgressHttpModuleOptions>): DynamicModule {
    return rootModule(super.forRootAsync(options));
  }

  /**
   * Declares services and provides their clients, for `@InjectEgress(service)`.
   *
   * @throws PaletteBootError `egress_declaration_invalid`; all faults at once.
   */
  static forFeature(services: readonly EgressService[]): DynamicModule {
    const faults = new BootFaults();
    for (const service of services) reportDeclarationFaults(service, faults);
    faults.throwIfAny();
    return {
      module: EgressHttpModule,
      providers: [{ provide: EGRESS_FEATURE, useValue: services }, ...services.map(clientProvider)],
      exports: services.map(({ token }) => token),
    };
  }
}

function rootModule(definition: DynamicModule): DynamicModule {
  return {
    ...definition,
    global: true,
    providers: [...(definition.providers ?? []), ...rootProviders],
    exports: [EgressRuntime, EgressHandlers, EgressManifest],
  };
}

function clientProvider(service: EgressService): Provider {
  return {
    provide: service.token,
    useFactory: (runtime: EgressRuntime | undefined) => {
      if (runtime !== undefined) return runtime.clientOf(service);
      const faults = new BootFaults();
      faults.add('egress_service_unconfigured', { service: service.name });
      faults.throwIfAny();
      return undefined;
    },
    inject: [{ token: EgressRuntime, optional: true }],
  };
}
