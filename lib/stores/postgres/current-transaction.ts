import { AsyncLocalStorage } from 'node:async_hooks';
import { AgentStoreError } from '../agent-store-error.js';
import type { PgClient, PgQueryRunner } from './sql/database-types.js';

/** The transaction in which a `transactional` call and its settlement commit together. */
export interface PostgresTransaction {
  /**
   * The client of `pg` that the transaction is on, for as long as it is open. Neither commit on it nor release it: the store
   * does.
   */
  readonly client: PgClient;
  /** Where the store was given a `DataSource`: the query runner, whose `manager` works in the transaction. */
  readonly queryRunner: PgQueryRunner | undefined;
}

interface OpenTransaction extends PostgresTransaction {
  /** The store that it is a transaction of. */
  readonly owner: object;
  state: 'open' | 'over' | 'taken back';
}

const transactions = new AsyncLocalStorage<OpenTransaction>();

/**
 * The transaction that the code which asks runs in; undefined outside one, and after it was committed.
 * @throws AgentStoreError `store_transaction_ended` where it was taken back: a call that goes on after its time-out, say, is to
 *   do nothing more, in a transaction or outside
 */
export function currentTransaction(): PostgresTransaction | undefined {
  const current = transactions.getStore();
  if (current?.state === 'taken back') throw new AgentStoreError('store_transaction_ended');
  return current?.state === 'open' ? current : undefined;
}

/** The transaction of this very store. */
export function transactionOf(owner: object): PostgresTransaction | undefined {
  const current = transactions.getStore();
  return current?.state === 'open' && current.owner === owner ? current : undefined;
}

/** Runs `work` so that it, and what it calls, finds the transaction. */
export async function withinTransaction<T>(
  owner: object,
  { client, queryRunner }: PostgresTransaction,
  work: () => Promise<T>,
): Promise<T> {
  const guarded = whileOpen(client, () => current.state === 'open');
  const current: OpenTransaction = { client: guarded, queryRunner, owner, state: 'open' };
  try {
    const value = await transactions.run(current, work);
    current.state = 'over';
    return value;
  } catch (error) {
    current.state = 'taken back';
    throw error;
  }
}

/** The client, for queries of the transaction only: afterwards it is somebody else's. */
function whileOpen(client: PgClient, isOpen: () => boolean): PgClient {
  return new Proxy(client, {
    get(target, key): unknown {
      if (key === 'query' && !isOpen()) return refuse;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function refuse(): Promise<never> {
  return Promise.reject(new AgentStoreError('store_transaction_ended'));
}
