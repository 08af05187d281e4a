import type { RequestId } from '@modelcontextprotocol/server';
import { isPlainObject, type CallerContext } from '../../common/index.js';
import { messagesIn } from './messages-in.js';
import type { RequestCalls } from './request-calls.js';
import type { IsSameCaller } from './same-caller.js';

/** A request that is being answered, and who sent it. */
interface RunningRequest {
  readonly calls: RequestCalls;
  readonly caller: CallerContext;
}

/**
 * The calls of 2025-era clients that are running here. Such a client cancels a call by another message of its session. Whoever
 * knows the id of a session is not who it belongs to: a call is cancelled by the caller who began it.
 */
export class RunningCalls {
  readonly #requests = new Map<string, Set<RunningRequest>>();

  constructor(private readonly isSameCaller: IsSameCaller) {}

  /** @returns what is called when the request is answered */
  begin(session: string, calls: RequestCalls, caller: CallerContext): () => void {
    const running: RunningRequest = { calls, caller };
    const keys = calls.ids.map((id) => keyOf(session, id));
    for (const key of keys) this.#requests.set(key, (this.#requests.get(key) ?? new Set()).add(running));
    return () => {
      for (const key of keys) this.#end(key, running);
    };
  }

  /** Cancels what the messages of a request cancel. @param caller who sent it */
  hear(session: string, body: unknown, caller: CallerContext): void {
    for (const { method, params } of messagesIn(body)) {
      const id = isPlainObject(params) ? params['requestId'] : undefined;
      const isCancel = method === 'notifications/cancelled' && (typeof id === 'string' || typeof id === 'number');
      if (!isCancel) continue;
      for (const running of this.#requests.get(keyOf(session, id)) ?? []) void this.#cancel(running, id, caller);
    }
  }

  async #cancel({ calls, caller }: RunningRequest, id: RequestId, by: CallerContext): Promise<void> {
    if (await this.isSameCaller(caller, by)) calls.abort(id);
  }

  #end(key: string, running: RunningRequest): void {
    const requests = this.#requests.get(key);
    requests?.delete(running);
    if (requests?.size === 0) this.#requests.delete(key);
  }
}

function keyOf(session: string, id: RequestId): string {
  return JSON.stringify([session, id]);
}
