import type { Type } from '@nestjs/common';
import type { RouteMetadata } from '../internal/nest.js';
import type { ApprovalRule } from './decorators/approval-rule.js';
import type { OperationAllowance, OperationAnnotations, OperationKind } from './decorators/operation.decorator.js';
import type { OperationInput } from './input/operation-input.js';

/** One controller method marked `@Operation()`, as the catalogue holds it. Frozen. */
export interface OperationDescriptor {
  readonly name: string;
  readonly kind: OperationKind;
  readonly description: string;
  readonly sensitive: boolean;
  readonly annotations: Required<OperationAnnotations>;
  readonly allow: ReadonlySet<OperationAllowance>;
  /** What its owner demands; a palette can add to it. */
  readonly approval: ApprovalRule | undefined;
  /** Whether its effect is committed together with the agent's ledger. */
  readonly transactional: boolean;
  readonly controller: Type;
  readonly methodName: string;
  readonly handler: (...parameters: never[]) => unknown;
  /** Undefined for a message handler. */
  readonly route: OperationRoute | undefined;
  /** Undefined for an HTTP route. */
  readonly message: OperationMessage | undefined;
  readonly input: OperationInput;
}

/** Where an operation is reached, before the application's prefix and versioning are known. */
export interface OperationRoute extends RouteMetadata {
  /** `GET`, `POST`, ... */
  readonly httpMethod: string;
  readonly modulePath: string | undefined;
}

/** The message patterns that an operation answers to; the first is the one it is called by. */
export interface OperationMessage {
  readonly patterns: readonly unknown[];
}

/** `NotesController.list`, for messages. */
export function operationPlace(controller: Type, methodName: string): string {
  return `${controller.name}.${methodName}`;
}
