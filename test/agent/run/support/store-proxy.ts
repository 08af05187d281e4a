import type { AgentStore } from 'nestjs-palette';

export interface StoreHooks {
  /** May throw in place of the call, or do something first. `count` is 1 for the first call of the store. */
  readonly before?: (method: string, count: number) => unknown;
  /** May throw although the call was done. */
  readonly after?: (method: string, count: number) => unknown;
}

export interface StoreProxy {
  readonly store: AgentStore;
  /** The methods that were called, in order. */
  readonly calls: readonly string[];
}

/** A process's own way to a store that others reach as well: it may fail here and not there. */
export function storeProxy(inner: AgentStore, { before, after }: StoreHooks = {}): StoreProxy {
  const calls: string[] = [];
  const around = async (method: string, work: () => Promise<unknown>): Promise<unknown> => {
    const count = calls.push(method);
    await before?.(method, count);
    const result = await work();
    await after?.(method, count);
    return result;
  };
  async function* watching(args: Parameters<AgentStore['watch']>): AsyncGenerator<unknown> {
    await around('watch', () => Promise.resolve());
    yield* inner.watch(...args);
  }
  const get = (_target: AgentStore, name: string): unknown => {
    const own = inner[name as keyof AgentStore] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    if (typeof own !== 'function' || name === 'onWritten') return own;
    if (name === 'watch') return (...args: Parameters<AgentStore['watch']>) => watching(args);
    return (...args: unknown[]) => around(name, () => own.apply(inner, args));
  };
  return { store: new Proxy(inner, { get: get as never }), calls };
}
