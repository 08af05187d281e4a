import { invokeTarget, type EgressTarget } from './call/egress-call.js';
import type { EgressCallOptions } from './call/egress-call-options.js';
import type { EgressOperation } from './declaration/egress-operation.js';
import type { EgressService } from './declaration/egress-service.js';
import { EgressClient } from './egress-client.js';
import { EgressError, type EgressCallName } from './egress-error.js';
import type { EgressServiceSettings } from './gate/egress-settings.js';
import { unknownOperation, type EgressHandlers } from './handlers/egress-handlers.js';
import { RequestPlacement } from './request/place-arguments.js';
import { egressFetch, type EgressFetch } from './sdk/egress-fetch.js';
import { failedStream, openStream, type EgressStream } from './stream/egress-stream.js';
import type { EgressTransport } from './transport/egress-transport.js';
import { handlerTransport } from './transport/handler-transport.js';

/** A client over one declaration, its configuration and the application's handlers. */
export class DeclaredEgressClient extends EgressClient {
  override readonly baseUrl: string;
  override readonly fetch: EgressFetch;
  readonly #targets = new Map<EgressOperation, EgressTarget>();

  constructor(
    private readonly service: EgressService,
    private readonly settings: EgressServiceSettings,
    private readonly handlers: EgressHandlers,
    private readonly network: EgressTransport,
  ) {
    super();
    this.baseUrl = settings.base.origin + settings.base.path;
    this.fetch = egressFetch(settings, () => this.#networkOf({ service: service.name, operation: 'fetch' }));
    for (const operation of service.operations) this.#targets.set(operation, this.#targetOf(operation));
  }

  override async invoke(
    operation: EgressOperation | string,
    args: unknown,
    options: EgressCallOptions = {},
  ): Promise<never> {
    return (await invokeTarget(this.#find(operation), args, options)) as never;
  }

  override stream(operation: EgressOperation | string, args: unknown, options: EgressCallOptions = {}): EgressStream {
    try {
      return openStream(this.#find(operation), args, options);
    } catch (error) {
      return failedStream({ service: this.service.name, operation: 'unknown' }, error);
    }
  }

  /** By identity: an operation of another declaration may share a name and mean another request. */
  #find(wanted: EgressOperation | string): EgressTarget {
    const operation = typeof wanted === 'string' ? this.service.operations.find(({ name }) => name === wanted) : wanted;
    const target = operation === undefined ? undefined : this.#targets.get(operation);
    if (target !== undefined) return target;
    const names = this.service.operations.map(({ name }) => name).join(', ');
    const what = typeof wanted === 'string' ? `there are ${names}` : 'it belongs to another declaration';
    throw unknownOperation(this.service, what);
  }

  #targetOf(operation: EgressOperation): EgressTarget {
    const call = Object.freeze({ service: this.service.name, operation: operation.name });
    return {
      call,
      operation,
      settings: this.settings,
      placement: new RequestPlacement(operation, call),
      transport: () => this.#transportOf(operation, call),
    };
  }

  #transportOf(operation: EgressOperation, call: EgressTarget['call']): EgressTransport {
    const handler = this.handlers.find(this.service, operation);
    if (handler !== undefined) return handlerTransport(handler);
    return this.#networkOf(call);
  }

  #networkOf(call: EgressCallName): EgressTransport {
    if (this.settings.isHandlersOnly) throw new EgressError('egress_handler_missing', call);
    return this.network;
  }
}
