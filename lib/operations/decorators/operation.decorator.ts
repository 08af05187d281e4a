import 'reflect-metadata';
import type { ApprovalRule } from './approval-rule.js';

/** `query` reads, `command` acts. */
export type OperationKind = 'query' | 'command';

/** What a client may assume of an operation; hints for its user interface, never an authorization. */
export interface OperationAnnotations {
  /** Changes nothing. Default: true for `query`. */
  readonly readOnly?: boolean;
  /** May destroy something. Default: true for DELETE. */
  readonly destructive?: boolean;
  /** A repeat with the same arguments changes nothing more. Default: true for GET, HEAD, PUT and DELETE. */
  readonly idempotent?: boolean;
}

/** What of its route a tool call does without, where the operation says so. */
export type OperationAllowance =
  /** `@Sse`: the events up to the end of the stream, as text, within the limits of size and time. */
  | 'sse'
  /** `@Render`: the page, as text. */
  | 'render'
  /** `@Redirect`, or any 3xx: the answer is `{ redirect: { status, location } }`, and nothing is followed. */
  | 'redirect'
  /** Uploads: no file is sent. */
  | 'upload'
  /** `@RawBody`: the arguments as JSON. */
  | 'rawBody';

/** Which of several paths, versions or hosts of its route an operation is called by. */
export interface OperationAddressChoice {
  /** One of the paths given to `@Controller`. Default: the first. */
  readonly controllerPath?: string;
  /** One of the paths given to `@Get`, `@Post`, ... Default: the first. */
  readonly methodPath?: string;
  /** One of the versions. Default: the first. */
  readonly version?: string;
  /** The host to call, where the controller has several or a pattern. Default: the first. */
  readonly host?: string;
}

export interface OperationOptions {
  /** Default: `<controller path>.<method name>`, `notes.list` say. */
  readonly name?: string;
  /** Default: `query` for GET and HEAD, `command` for every other verb. */
  readonly kind?: OperationKind;
  /** What the operation does, for a model to read. Default: what `@ApiOperation()` of `@nestjs/swagger` says. */
  readonly description?: string;
  /** No palette can hold the operation. Default: false. */
  readonly sensitive?: boolean;
  readonly annotations?: OperationAnnotations;
  /** What the operation is offered in spite of; without it, boot refuses such a route. Default: nothing. */
  readonly allow?: readonly OperationAllowance[];
  /** Which address of its route it is called by, where that has several. */
  readonly address?: OperationAddressChoice;
  /**
   * Why a person has to approve each call, or a function that says so of one call. An agent's call then waits for the
   * decision; plain HTTP is not touched. A palette can add reasons and take none away. Default: nobody has to.
   */
  readonly approval?: ApprovalRule;
  /**
   * Whether the handler writes through the transaction of the agent's store (`nestjs-palette/postgres`), so that effect and
   * ledger are committed together. Default: false.
   */
  readonly transactional?: boolean;
}

const OPERATION = Symbol.for('nestjs-palette:operations:OPERATION');

/**
 * Marks a controller method as an operation: it joins the catalogue, and a palette may include it. Nothing about the
 * route changes; what guards it over HTTP guards it as a tool.
 */
export function Operation(options: OperationOptions = {}): MethodDecorator {
  return (_prototype, _methodName, descriptor) => {
    Reflect.defineMetadata(OPERATION, Object.freeze({ ...options }), descriptor.value as object);
  };
}

/** The options a method was marked with; undefined where it is no operation. */
export function operationOptions(handler: unknown): OperationOptions | undefined {
  return typeof handler === 'function'
    ? (Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined)
    : undefined;
}
