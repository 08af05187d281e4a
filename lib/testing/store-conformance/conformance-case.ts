import type { AgentStore } from '../../approvals/ledger/index.js';

/** A store, and what a test needs beside it. */
export interface StoreUnderTest {
  readonly store: AgentStore;
  /** Another instance over the same storage, as another replica has one; races use both. */
  readonly replica?: AgentStore | undefined;
  /** Lets so many milliseconds pass by the store's clock: moves a clock, or moves what is stored into the past. */
  advance(ms: number): Promise<void>;
  /** Called when the case is over, whatever came of it. */
  close?(): Promise<void>;
}

/** Yields a store that is empty. */
export type CreateStore = () => Promise<StoreUnderTest>;

/** One thing that every store has to do; for whatever runs tests. */
export interface ConformanceCase {
  readonly name: string;
  /** @throws AssertionError of `node:assert` where the store does otherwise */
  run(createStore: CreateStore): Promise<void>;
}

export function conformanceCase(name: string, body: (under: StoreUnderTest) => Promise<void>): ConformanceCase {
  return {
    name,
    async run(createStore) {
      const under = await createStore();
      try {
        await body(under);
      } finally {
        await under.close?.();
      }
    },
  };
}
