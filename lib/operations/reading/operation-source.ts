import type { Type } from '@nestjs/common';
import type { OperationOptions } from '../decorators/operation.decorator.js';

/** A method marked `@Operation()`. */
export interface OperationSource {
  readonly controller: Type;
  readonly methodName: string;
  readonly options: OperationOptions;
  /** The prefix that `RouterModule` gave to the controller's module. */
  readonly modulePath: string | undefined;
  /** The pipes that run before those of the method's parameters, in that order. */
  readonly pipes: readonly unknown[];
  /** The instance that Nest made of a pipe's class; the class itself where there is none. */
  readonly pipeInstance: (pipe: unknown) => unknown;
}
