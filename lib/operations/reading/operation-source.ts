import type { Type } from '@nestjs/common';
import type { OperationOptions } from '../decorators/operation.decorator.js';

/** A method marked `@Operation()`. */
export interface OperationSource {
  readonly controller: Type;
  readonly methodName: string;
  readonly options: OperationOptions;
  /** The prefix that `RouterModule` gave to the controller's module. */
  readonly modulePath: string | undefined;
}
