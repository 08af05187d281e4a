import 'reflect-metadata';

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

export interface OperationOptions {
  /** Default: `<controller path>.<method name>`, `notes.list` say. */
  readonly name?: string;
  /** Default: `query` for GET and HEAD, `command` for every other verb. */
  readonly kind?: OperationKind;
  /** What the operation does, for a model to read. */
  readonly description?: string;
  /** No palette can hold the operation. Default: false. */
  readonly sensitive?: boolean;
  readonly annotations?: OperationAnnotations;
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
