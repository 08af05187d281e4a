import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type DynamicModule,
  type NestModule,
  type OnModuleInit,
} from '@nestjs/common';
import { ApplicationConfig, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { BootReport } from './boot-report.js';
import { BootFaults } from './common/index.js';
import {
  ApplicationHttpServer,
  ApprovalGate,
  bindTypedQuery,
  DeadlineInterceptor,
  DISPATCH_OPTIONS,
  HttpTransport,
  MessageServers,
  MessageTransport,
  OperationAudit,
  OperationAuditInterceptor,
  OperationDispatcher,
  OperationIdentityGuard,
  resolveDispatchOptions,
  type AuditOptions,
  type DispatchOptions,
  type ResolvedDispatchOptions,
} from './dispatch/index.js';
import { OperationAddresses, OperationCatalogue } from './operations/index.js';
import { checkQueryPolicies } from './query/index.js';
import { getPaletteToken, PaletteDeclaration, PaletteRegistry, type PaletteOptions } from './palette/index.js';

export interface OperationsModuleOptions {
  /** How tool calls are run. */
  readonly dispatch?: DispatchOptions;
  /** What is recorded of each call, and where. Default: tool calls, as debug lines of Nest's logger. */
  readonly audit?: AuditOptions;
  /** Whether a list or aggregate operation without a query policy is a boot error. Default: false, it is a warning. */
  readonly requirePolicy?: boolean;
}

export interface OperationsFeatureOptions {
  /** Palettes that this module's providers inject with `@InjectPalette(name)`. */
  readonly palettes: readonly PaletteOptions[];
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<OperationsModuleOptions>({
  moduleName: 'Operations',
})
  .setClassMethodName('forRoot')
  .setExtras({}, (definition) => ({ ...definition, global: true }))
  .build();

/**
 * Makes the methods marked `@Operation()` callable as tools. Import `forRoot` (or `forRootAsync`) once, and `forFeature`
 * wherever a palette is injected.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: DISPATCH_OPTIONS,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: OperationsModuleOptions): ResolvedDispatchOptions => {
        const faults = new BootFaults();
        const resolved = resolveDispatchOptions(options.dispatch ?? {}, faults);
        faults.throwIfAny();
        return resolved;
      },
    },
    {
      provide: OperationAudit,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: OperationsModuleOptions) => new OperationAudit(options.audit ?? {}),
    },
    OperationCatalogue,
    OperationAddresses,
    PaletteRegistry,
    ApprovalGate,
    BootReport,
    OperationAuditInterceptor,
    DeadlineInterceptor,
    ApplicationHttpServer,
    HttpTransport,
    MessageServers,
    MessageTransport,
    OperationDispatcher,
    { provide: APP_GUARD, useClass: OperationIdentityGuard },
  ],
  exports: [ApprovalGate, BootReport, OperationCatalogue, PaletteRegistry, OperationDispatcher],
})
export class OperationsModule extends ConfigurableModuleClass implements NestModule, OnModuleInit {
  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: OperationsModuleOptions,
    private readonly report: BootReport,
    private readonly catalogue: OperationCatalogue,
    private readonly addresses: OperationAddresses,
    private readonly registry: PaletteRegistry,
    private readonly messages: MessageServers,
    private readonly gate: ApprovalGate,
    config: ApplicationConfig,
    audit: OperationAuditInterceptor,
    deadline: DeadlineInterceptor,
  ) {
    super();
    // An interceptor costs every request of the application: these two are there only where they have something to do.
    if (options.audit?.http) config.addGlobalInterceptor(audit);
    if (options.dispatch?.httpTimeoutMs !== undefined) config.addGlobalInterceptor(deadline);
  }

  /** Declares palettes. */
  static forFeature(options: OperationsFeatureOptions): DynamicModule {
    const palettes = options.palettes.map(({ name }) => ({
      provide: getPaletteToken(name),
      inject: [PaletteRegistry],
      useFactory: (registry: PaletteRegistry) => registry.palette(name),
    }));
    const declarations = options.palettes.map((palette) => ({
      provide: Symbol(`nestjs-palette:palette:DECLARATION(${palette.name})`),
      useValue: new PaletteDeclaration(palette),
    }));
    return {
      module: OperationsFeatureModule,
      providers: [...palettes, ...declarations],
      exports: palettes.map(({ provide }) => provide),
    };
  }

  /** Nest asks for middleware after the application has set its global pipes, and before it makes routes. */
  configure(): void {
    for (const operation of this.catalogue.operations.values()) bindTypedQuery(operation);
  }

  /** @throws PaletteBootError with every fault of operations, addresses, query policies and palettes. */
  onModuleInit(): void {
    const faults = new BootFaults();
    faults.include(this.registry.faults);
    faults.include(this.catalogue.lateFaults);
    faults.include(this.addresses.faultsOf(this.catalogue.operations.values()));
    faults.include(this.messages.faults);
    if (!this.gate.isKept) this.registry.addGatedOperations(faults);
    checkQueryPolicies(this.catalogue.controllers, faults);
    if (this.options.requirePolicy && faults.list.length === 0) this.report.addOpenQueries(faults);
    faults.throwIfAny();
    this.report.log();
  }
}

@Module({})
class OperationsFeatureModule {}
