import { isIdempotentMethod } from './idempotent-methods.js';
import type { EgressShape, ShapeInput, ShapeOutput } from './egress-shape.js';

export type EgressMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Property names that may be placed in the path, the query or a header. */
export type ArgumentName<Args> = Args extends EgressShape ? Extract<keyof ShapeOutput<Args>, string> : never;

/** What `egressOperation` takes. */
export interface EgressOperationDeclaration<
  Name extends string,
  Args extends EgressShape | undefined,
  Returns extends EgressShape | undefined,
> {
  /** Unique within its service. */
  readonly name: Name;
  readonly method: EgressMethod;
  /** Below the service's base URL; `{name}` places an argument: `/v1/files/{id}`. No query, no fragment, no `..`. */
  readonly path: string;
  /** Everything that may leave: a property that is not declared is refused. Left out, the operation takes `{}`. */
  readonly args?: Args;
  /** The JSON reply. Left out, `invoke` reads the reply, drops it and yields undefined. */
  readonly returns?: Returns;
  /** Arguments that go into the query string; a list is repeated, null and undefined are left out. */
  readonly query?: readonly ArgumentName<Args>[];
  /** Header name to argument: `{ 'x-tenant': 'tenant' }`. Credentials have `credentials` of the service instead. */
  readonly headers?: Readonly<Record<string, ArgumentName<Args>>>;
  /** How the remaining arguments are sent. Default `json`. */
  readonly encoding?: 'json' | 'form';
  /**
   * Whether telling the upstream twice is as good as once, so that a failed attempt may be followed by another. Default: true
   * for GET, HEAD, PUT and DELETE.
   */
  readonly idempotent?: boolean;
}

/** One declared request of an egress service. Made by `egressOperation`; recognised by identity, not by name. */
export interface EgressOperation<
  Name extends string = string,
  Args extends EgressShape | undefined = EgressShape | undefined,
  Returns extends EgressShape | undefined = EgressShape | undefined,
> {
  readonly name: Name;
  readonly method: EgressMethod;
  readonly path: string;
  readonly args: Args;
  readonly returns: Returns;
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: 'json' | 'form';
  readonly isIdempotent: boolean;
}

/** What a caller passes for an operation. */
export type EgressArguments<Operation extends EgressOperation> = Operation['args'] extends EgressShape
  ? ShapeInput<Operation['args']>
  : Readonly<Record<string, never>>;

/** What `invoke` yields for an operation. */
export type EgressReplyOf<Operation extends EgressOperation> = Operation['returns'] extends EgressShape
  ? ShapeOutput<Operation['returns']>
  : undefined;

/**
 * Declares one outbound request. Faults of the declaration are reported at boot, by `EgressHttpModule.forFeature`.
 *
 * @example
 * export const messages = egressOperation({
 *   name: 'messages', method: 'POST', path: '/v1/messages', args: ModelArgs, returns: ModelReply,
 * });
 */
export function egressOperation<
  const Name extends string,
  Args extends EgressShape | undefined = undefined,
  Returns extends EgressShape | undefined = undefined,
>(declaration: EgressOperationDeclaration<Name, Args, Returns>): EgressOperation<Name, Args, Returns> {
  return Object.freeze({
    name: declaration.name,
    method: declaration.method,
    path: declaration.path,
    args: declaration.args as Args,
    returns: declaration.returns as Returns,
    query: Object.freeze([...(declaration.query ?? [])]),
    headers: Object.freeze({ ...(declaration.headers as Readonly<Record<string, string>> | undefined) }),
    encoding: declaration.encoding ?? 'json',
    isIdempotent: declaration.idempotent ?? isIdempotentMethod(declaration.method),
  });
}
