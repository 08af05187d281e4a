import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { BootFaults, type BootFault } from '../common/index.js';
import { methodNames, modulePath } from '../internal/nest.js';
import { operationOptions } from './decorators/operation.decorator.js';
import { operationPlace, type OperationDescriptor } from './operation.js';
import { readOperation } from './reading/read-operation.js';
import type { SchemaGap } from './schema/index.js';

interface Discovered {
  readonly operations: ReadonlyMap<string, OperationDescriptor>;
  readonly controllers: ReadonlySet<Type>;
  readonly byMethod: ReadonlyMap<Type, ReadonlyMap<string, OperationDescriptor>>;
  readonly faults: readonly BootFault[];
}

/**
 * Every operation of the application. It is read from the controllers' classes on first use, after Nest has scanned all
 * modules, so that request-scoped and transient controllers count too.
 */
@Injectable()
export class OperationCatalogue {
  #read: Discovered | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModulesContainer,
  ) {}

  /** All operations, by name, in the order of their controllers. */
  get operations(): ReadonlyMap<string, OperationDescriptor> {
    return this.#catalogue().operations;
  }

  /** What keeps the application from booting; the palettes' faults are reported together with these. */
  get faults(): readonly BootFault[] {
    return this.#catalogue().faults;
  }

  /** What the schemas leave open, over all operations. */
  get gaps(): readonly SchemaGap[] {
    return [...this.operations.values()].flatMap((operation) => operation.input.gaps);
  }

  /** The operation that a controller's method is; undefined where it is none. */
  operationOf(controller: Type, methodName: string): OperationDescriptor | undefined {
    return this.#catalogue().byMethod.get(controller)?.get(methodName);
  }

  /** Every controller class of the application. */
  get controllers(): ReadonlySet<Type> {
    return this.#catalogue().controllers;
  }

  #catalogue(): Discovered {
    this.#read ??= this.#discover();
    return this.#read;
  }

  #discover(): Discovered {
    const faults = new BootFaults();
    const operations = new Map<string, OperationDescriptor>();
    const controllers = new Set<Type>();
    for (const wrapper of this.discovery.getControllers()) {
      const controller = wrapper.metatype as Type | null;
      if (controller === null || controllers.has(controller)) continue;
      controllers.add(controller);
      const prefix = wrapper.host && modulePath(this.modules, wrapper.host.metatype as Type);
      for (const operation of markedMethods(controller, prefix, faults)) addOperation(operations, operation, faults);
    }
    this.#reportProviders(controllers, faults);
    return { operations, controllers, byMethod: byMethod(operations.values()), faults: faults.list };
  }

  /** A mark on a provider would otherwise be silently without effect. */
  #reportProviders(controllers: ReadonlySet<Type>, faults: BootFaults): void {
    const reported = new Set<unknown>(controllers);
    for (const { metatype } of this.discovery.getProviders()) {
      const prototype: unknown = typeof metatype === 'function' ? metatype.prototype : undefined;
      if (typeof prototype !== 'object' || prototype === null || reported.has(metatype)) continue;
      reported.add(metatype);
      for (const name of methodNames(prototype).filter((each) => operationOptions(methodOf(prototype, each)))) {
        faults.add('operation_not_a_route', { operation: operationPlace(metatype as Type, name) });
      }
    }
  }
}

function markedMethods(controller: Type, prefix: string | undefined, faults: BootFaults): OperationDescriptor[] {
  const prototype = controller.prototype as object;
  return methodNames(prototype).flatMap((methodName) => {
    const options = operationOptions(methodOf(prototype, methodName));
    if (options === undefined) return [];
    return readOperation({ controller, methodName, options, modulePath: prefix }, faults) ?? [];
  });
}

function addOperation(
  operations: Map<string, OperationDescriptor>,
  operation: OperationDescriptor,
  faults: BootFaults,
): void {
  const first = operations.get(operation.name);
  if (first === undefined) {
    operations.set(operation.name, operation);
    return;
  }
  faults.add('operation_name_duplicate', {
    name: operation.name,
    first: operationPlace(first.controller, first.methodName),
    second: operationPlace(operation.controller, operation.methodName),
  });
}

function byMethod(operations: Iterable<OperationDescriptor>): Map<Type, Map<string, OperationDescriptor>> {
  const methods = new Map<Type, Map<string, OperationDescriptor>>();
  for (const operation of operations) {
    const ofController = methods.get(operation.controller) ?? new Map<string, OperationDescriptor>();
    methods.set(operation.controller, ofController.set(operation.methodName, operation));
  }
  return methods;
}

function methodOf(prototype: object, name: string): unknown {
  return (prototype as Record<string, unknown>)[name];
}
