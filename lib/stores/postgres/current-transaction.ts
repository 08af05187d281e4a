import { AsyncLocalStorage } from 'node:async_hooks';
import type { PgClient, PgQueryRunner } from './sql/database-types.js';

/** The transaction in which a `transactional` call and its settlement commit together. */
export interface PostgresTransaction {
  /** The client of `pg` that the transaction is on. Neither commit on it nor release it: the store does. */
  readonly client: PgClient;
  /** Where the store was given a `DataSource`: the query runner, whose `manager` works in the transaction. */
  readonly queryRunner: PgQueryRunner | undefined;
}

interface OpenTransaction extends PostgresTransaction {
  /** The store that it is a transaction of. */
  readonly owner: object;
  isOpen: boolean;
}

const transactions = new AsyncLocalStorage<OpenTransaction>();

/** The transaction that the code which asks runs in; undefined outside one, and after it has ended. */
export function currentTransaction(): PostgresTransaction | undefined {
  const current = transactions.getStore();
  return current?.isOpen === true ? current : undefined;
}

/** The transaction of this very store. */
export function transactionOf(owner: object): PostgresTransaction | undefined {
  const current = transactions.getStore();
  return current?.isOpen === true && current.owner === owner ? current : undefined;
}

/** Runs `work` so that it, and what it calls, finds the transaction. */
export async function withinTransaction<T>(
  owner: object,
  { client, queryRunner }: PostgresTransaction,
  work: () => Promise<T>,
): Promise<T> {
  const current: OpenTransaction = { client, queryRunner, owner, isOpen: true };
  try {
    return await transactions.run(current, work);
  } finally {
    current.isOpen = false;
  }
}
