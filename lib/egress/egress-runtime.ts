import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { BootFaults } from '../common/index.js';
import type { EgressService } from './declaration/egress-service.js';
import { DeclaredEgressClient } from './declared-egress-client.js';
import type { EgressClient } from './egress-client.js';
import { EgressManifest } from './egress-manifest.js';
import { EGRESS_FEATURE } from './egress.tokens.js';
import { reportMismatches } from './gate/check-declarations.js';
import type { EgressSettings } from './gate/egress-settings.js';
import { readOptions } from './gate/read-options.js';
import { EgressHandlers } from './handlers/egress-handlers.js';
import { networkTransport } from './transport/network-transport.js';
import { ownConnections, type OwnConnections } from './transport/own-connections.js';

/**
 * One application's egress: its checked configuration, its declarations, its handlers. Nothing of it is shared between
 * applications of a process.
 */
export class EgressRuntime implements OnModuleInit, OnApplicationShutdown {
  readonly manifest: EgressManifest;
  readonly handlers: EgressHandlers;
  readonly #settings: EgressSettings;
  readonly #connections = new Map<string, OwnConnections>();
  readonly #clients = new Map<EgressService, EgressClient>();

  /** @throws PaletteBootError with every fault of the configuration and of what the modules declare. */
  constructor(options: unknown, modules: ModulesContainer) {
    const faults = new BootFaults();
    reportDuplicateRoot(modules, faults);
    this.#settings = readOptions(options, faults);
    const declared = declaredServices(modules);
    reportMismatches(declared, this.#settings, faults);
    this.#openConnections(faults);
    faults.throwIfAny();
    this.handlers = new EgressHandlers(!this.#settings.isProduction || this.#settings.allowHandlers);
    this.manifest = new EgressManifest(
      this.#settings.services.values(),
      new Map(declared.map((service) => [service.name, service])),
    );
  }

  /** Told here and not while modules are put together, so that the application's own logger has it. */
  onModuleInit(): void {
    for (const warning of this.#settings.warnings) new Logger('EgressHttpModule').warn(warning);
  }

  /** Calls are over by now, or are given up: nothing of the application's is left to wait for them. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((own) => own.destroy()));
  }

  /** @throws PaletteBootError for a service that a module loaded later declares and nobody configured. */
  clientOf(service: EgressService): EgressClient {
    const known = this.#clients.get(service);
    if (known !== undefined) return known;
    const faults = new BootFaults();
    reportMismatches([...this.#clients.keys(), service], this.#settings, faults);
    faults.throwIfAny();
    const settings = this.#settings.services.get(service.name);
    if (settings === undefined) throw new Error(`Egress service "${service.name}" has no settings.`);
    this.handlers.declare(service);
    const client = new DeclaredEgressClient(
      service,
      settings,
      this.handlers,
      networkTransport(this.#connections.get(service.name)?.dispatcher),
    );
    this.#clients.set(service, client);
    return client;
  }

  #openConnections(faults: BootFaults): void {
    for (const settings of this.#settings.services.values()) {
      const own = ownConnections(settings, faults);
      if (own !== undefined) this.#connections.set(settings.name, own);
    }
  }
}

function declaredServices(modules: ModulesContainer): EgressService[] {
  return [...modules.values()].flatMap((module) => {
    const services: unknown = module.providers.get(EGRESS_FEATURE)?.instance;
    return (services ?? []) as readonly EgressService[];
  });
}

function reportDuplicateRoot(modules: ModulesContainer, faults: BootFaults): void {
  const count = [...modules.values()].filter((module) => module.providers.has(EgressRuntime)).length;
  if (count > 1) faults.add('egress_module_duplicate', { count });
}
