import { Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { BootFaults, type BootFault } from '../common/index.js';
import { methodNames, modulePath, pipeInstance, pipesAround, type ControllerWrapper } from '../internal/nest.js';
import { operationOptions } from './decorators/operation.decorator.js';
import { operationPlace, type OperationDescriptor } from './operation.js';
import { readOperation } from './reading/read-operation.js';
import { validationViewOf, whileRemembering, type SchemaGap, type ValidationView } from './schema/index.js';

interface Discovered {
  readonly operations: ReadonlyMap<string, OperationDescriptor>;
  readonly controllers: ReadonlySet<Type>;
  readonly byMethod: ReadonlyMap<Type, ReadonlyMap<string, OperationDescriptor>>;
  readonly faults: readonly BootFault[];
  /** How the global pipes validated when the operations were read. */
  readonly globalView: ValidationView;
}

/**
 * Every operation of the application. It is read from the controllers' classes on first use, after Nest has scanned all
 * modules, so that request-scoped and transient controllers count too; and after the application has set its global pipes,
 * so that the schemas know by which options they validate.
 */
@Injectable()
export class OperationCatalogue {
  #read: Discovered | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {}

  /** All operations, by name, in the order of their controllers. */
  get operations(): ReadonlyMap<string, OperationDescriptor> {
    return this.#catalogue().operations;
  }

  /** What keeps the application from booting; the palettes' faults are reported together with these. */
  get faults(): readonly BootFault[] {
    return this.#catalogue().faults;
  }

  /** What the application changed after the operations were read: its schemas would tell of another application. */
  get lateFaults(): readonly BootFault[] {
    const faults = new BootFaults();
    const [read, now] = [this.#catalogue().globalView, this.#globalView()].map((view) => JSON.stringify(view));
    if (read !== now) faults.add('operation_read_early', {});
    return faults.list;
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
    this.#read ??= whileRemembering(() => this.#discover());
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
      for (const operation of this.#operationsOf(controller, wrapper, faults))
        addOperation(operations, operation, faults);
    }
    this.#reportProviders(controllers, faults);
    const globalView = this.#globalView();
    return { operations, controllers, byMethod: byMethod(operations.values()), faults: faults.list, globalView };
  }

  #operationsOf(controller: Type, wrapper: ControllerWrapper, faults: BootFaults): OperationDescriptor[] {
    const prototype = controller.prototype as object;
    const module = wrapper.host && modulePath(this.modules, wrapper.host.metatype as Type);
    const instanceOf = (pipe: unknown): unknown => pipeInstance(pipe, wrapper);
    return methodNames(prototype).flatMap((methodName) => {
      const options = operationOptions(methodOf(prototype, methodName));
      if (options === undefined) return [];
      const pipes = pipesAround(this.config, controller, methodName).map(instanceOf);
      const source = { controller, methodName, options, modulePath: module, pipes, pipeInstance: instanceOf };
      return readOperation(source, faults) ?? [];
    });
  }

  #globalView(): ValidationView {
    return validationViewOf(this.config.getGlobalPipes(), () => undefined);
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
