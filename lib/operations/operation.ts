import type { Type } from '@nestjs/common';
import type { RouteMetadata } from '../internal/nest.js';
import type { OperationAnnotations, OperationKind } from './decorators/operation.decorator.js';
import type { OperationInput } from './input/operation-input.js';

/** One controller method marked `@Operation()`, as the catalogue holds it. Frozen. */
export interface OperationDescriptor {
  readonly name: string;
  readonly kind: OperationKind;
  readonly description: string;
  readonly sensitive: boolean;
  readonly annotations: Required<OperationAnnotations>;
  readonly controller: Type;
  readonly methodName: string;
  readonly handler: (...parameters: never[]) => unknown;
  readonly route: OperationRoute;
  readonly input: OperationInput;
}

/** Where an operation is reached, before the application's prefix and versioning are known. */
export interface OperationRoute extends RouteMetadata {
  /** `GET`, `POST`, ... */
  readonly httpMethod: string;
  readonly modulePath: string | undefined;
}

/** `NotesController.list`, for messages. */
export function operationPlace(controller: Type, methodName: string): string {
  return `${controller.name}.${methodName}`;
}
