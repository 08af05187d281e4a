import { EgressError } from '../egress-error.js';
import type { EgressArguments, EgressOperation } from '../declaration/egress-operation.js';
import type { EgressOperationOf, EgressService } from '../declaration/egress-service.js';
import type { EgressShape, ShapeInput, ShapeOutput } from '../declaration/egress-shape.js';
import type { EgressChunk, EgressReply } from './egress-reply.js';

/** What a handler is told besides the arguments: the request as an upstream would have seen it. */
export interface EgressHandlerCall {
  readonly method: string;
  readonly url: URL;
  /** With our credential in it. */
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Aborts when the caller goes away or the call's time is over. */
  readonly signal: AbortSignal;
}

/** What a handler may answer: the reply as JSON, a status, or chunks (a list of strings and bytes counts as chunks). */
export type EgressHandlerAnswer<Operation extends EgressOperation> =
  | (Operation['returns'] extends EgressShape ? ShapeInput<Operation['returns']> : unknown)
  | EgressReply
  | AsyncIterable<EgressChunk>
  | readonly EgressChunk[];

/** What a handler is given: the arguments after a JSON round trip, as the DTO or as the schema's output. */
export type EgressHandlerArguments<Operation extends EgressOperation> = Operation['args'] extends EgressShape
  ? ShapeOutput<Operation['args']>
  : EgressArguments<Operation>;

/** Answers one operation inside the process. */
export type EgressHandler<Operation extends EgressOperation = EgressOperation> = (
  args: EgressHandlerArguments<Operation>,
  call: EgressHandlerCall,
) => EgressHandlerAnswer<Operation> | Promise<EgressHandlerAnswer<Operation>>;

/** A handler whose operation is no longer known to the types. */
export type AnyEgressHandler = (args: unknown, call: EgressHandlerCall) => unknown;

/**
 * In-process answers to egress operations, for tests and samples. Everything else of a call stays: validation, confinement,
 * credentials, time-outs, limits. The gate stays shut as well: a handler acknowledges nothing.
 */
export class EgressHandlers {
  readonly #handlers = new Map<EgressService, Map<EgressOperation, AnyEgressHandler>>();
  readonly #declared = new Map<string, EgressService>();

  constructor(private readonly isAllowed: boolean) {}

  /**
   * Answers an operation from now on; the last handler of an operation holds.
   *
   * @returns a function that removes the handler.
   * @throws EgressError `egress_handlers_forbidden` in production without `allowHandlers`, `egress_operation_unknown` for a
   * declaration that is not this application's.
   */
  on<Service extends EgressService, Operation extends EgressOperationOf<Service>>(
    service: Service,
    operation: Operation,
    handler: EgressHandler<Operation>,
  ): () => void {
    const call = { service: service.name, operation: operation.name };
    if (!this.isAllowed) throw new EgressError('egress_handlers_forbidden', call);
    if (!service.operations.includes(operation)) {
      throw unknownOperation(service, 'a handler is for another declaration');
    }
    this.#refuseStranger(service);
    const handlers = this.#handlers.get(service) ?? new Map<EgressOperation, AnyEgressHandler>();
    const stored = handler as AnyEgressHandler;
    this.#handlers.set(service, handlers.set(operation, stored));
    return () => {
      if (handlers.get(operation) === stored) handlers.delete(operation);
    };
  }

  /** Makes a declaration the application's own. Handlers for another one of that name are refused. */
  declare(service: EgressService): void {
    this.#declared.set(service.name, service);
    for (const handled of this.#handlers.keys()) this.#refuseStranger(handled);
  }

  find(service: EgressService, operation: EgressOperation): AnyEgressHandler | undefined {
    return this.#handlers.get(service)?.get(operation);
  }

  #refuseStranger(service: EgressService): void {
    const declared = this.#declared.get(service.name);
    if (declared !== undefined && declared !== service) {
      throw unknownOperation(service, 'a handler is for another declaration of that name');
    }
  }
}

/** The refusal of an operation that the service does not declare. */
export function unknownOperation(service: EgressService, what: string): EgressError {
  const call = { service: service.name, operation: 'unknown' };
  return new EgressError('egress_operation_unknown', call, { parameters: { what } });
}
