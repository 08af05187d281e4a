import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { BootFaults, type BootFault } from '../../common/index.js';
import { addMethodGuard } from '../../internal/nest.js';
import { OperationCatalogue, operationPlace, type OperationDescriptor } from '../../operations/index.js';
import { hasGlobalEnhancers } from './global-enhancers.js';
import { MESSAGE_IDENTITY_GUARD } from './message-identity.guard.js';

/** A handler as a microservice's server holds it: Nest's own pipeline around the method. */
export type MessageHandler = (data: unknown, context: unknown) => Promise<unknown>;

interface MessageServer {
  addHandler(pattern: unknown, handler: MessageHandler, ...rest: unknown[]): void;
  getHandlerByPattern(pattern: string): MessageHandler | null;
}

/** The microservices of the application, and whether its global enhancers hold for their handlers. */
@Injectable()
export class MessageServers {
  readonly #servers: MessageServer[] = [];
  readonly #skipping = new Set<OperationDescriptor>();

  constructor(
    modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
    private readonly catalogue: OperationCatalogue,
  ) {
    modules.getRpcTargetRegistry<MessageServer>().subscribe((server) => this.#watch(server));
  }

  /** Nest's own handler of an operation's pattern. */
  handlerOf(operation: OperationDescriptor): MessageHandler | undefined {
    const [pattern] = operation.message?.patterns ?? [];
    const text = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
    for (const server of this.#servers) {
      const handler = server.getHandlerByPattern(text);
      if (handler) return handler;
    }
    return undefined;
  }

  /** Whether the application has global enhancers that a message handler must not go without. */
  get needsGlobalEnhancers(): boolean {
    return hasGlobalEnhancers(this.config);
  }

  /** Message operations whose handlers would skip the application's global enhancers. */
  get faults(): readonly BootFault[] {
    const faults = new BootFaults();
    for (const { controller, methodName } of this.needsGlobalEnhancers ? this.#skipping : []) {
      faults.add('operation_enhancers_skipped', { operation: operationPlace(controller, methodName) });
    }
    return faults.list;
  }

  /**
   * Nest does not tell which configuration a microservice was given. It reads the global guards of that configuration for
   * each handler it makes, so whether it read ours before it added one tells. A request-scoped handler is made later: what
   * it skips, the guard of the operation finds at the call.
   */
  #watch(server: MessageServer): void {
    this.#servers.push(server);
    const operations = [...this.catalogue.operations.values()].filter(({ message }) => message !== undefined);
    for (const { handler } of operations) addMethodGuard(handler, MESSAGE_IDENTITY_GUARD);
    let hasReadOurs = false;
    const readGuards = this.config.getGlobalGuards.bind(this.config);
    this.config.getGlobalGuards = () => {
      hasReadOurs = true;
      return readGuards();
    };
    const addHandler = server.addHandler.bind(server);
    server.addHandler = (pattern, ...rest) => {
      if (!hasReadOurs)
        operations.filter((each) => this.#isMadeNow(each, pattern)).forEach((each) => this.#skipping.add(each));
      hasReadOurs = false;
      addHandler(pattern, ...rest);
    };
  }

  #isMadeNow(operation: OperationDescriptor, pattern: unknown): boolean {
    const text = JSON.stringify(pattern);
    if (!operation.message?.patterns.some((each) => JSON.stringify(each) === text)) return false;
    const wrapper = this.discovery.getControllers().find(({ metatype }) => metatype === operation.controller);
    return wrapper?.isDependencyTreeStatic() ?? false;
  }
}
