import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { currentTransaction, type PostgresAgentStore } from 'nestjs-palette/postgres';
import { POSTGRES } from '../../support/servers.js';
import { claimedCall, type ClaimedCall } from '../agent-support/claimed-call.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

const DONE = { state: 'succeeded', result: { isError: false, content: null } } as const;

describeOnPostgres.each(['pool', 'TypeORM DataSource'] as const)('transaction of a store over a %s', (kind) => {
  let place: PostgresPlace;
  let dataSource: DataSource | undefined;
  let store: PostgresAgentStore;
  let call: ClaimedCall;

  beforeAll(async () => {
    place = await PostgresPlace.open(kind === 'pool' ? 'transactions' : 'transactions_typeorm');
    const { user: username, host, port, password, database } = POSTGRES;
    if (kind !== 'pool') {
      dataSource = await new DataSource({ type: 'postgres', host, port, username, password, database }).initialize();
    }
    store = place.store({}, dataSource ?? place.pool);
    await place.pool.query(`CREATE TABLE "${place.schema}".refunds (id text PRIMARY KEY)`);
  });
  beforeEach(async () => {
    call = await claimedCall(store);
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await place.close();
  });

  /** What a handler does: in the transaction that it finds, by whatever the application talks to its database with. */
  async function refund(id: string): Promise<void> {
    const found = currentTransaction();
    const statement = `INSERT INTO "${place.schema}".refunds VALUES ($1)`;
    if (found?.queryRunner === undefined) await found?.client.query(statement, [id]);
    else await (found.queryRunner.manager as EntityManager).query(statement, [id]);
  }

  async function refunds(id: string): Promise<number> {
    const found = await place.pool.query(`SELECT FROM "${place.schema}".refunds WHERE id = $1`, [id]);
    return found?.rowCount ?? 0;
  }

  const stateOf = async () => (await store.calls(call.conversationId))[0]?.state;

  it('commits effect and ledger together', async () => {
    const id = randomUUID();
    const seen = await store.transaction(async () => {
      await refund(id);
      const isSettled = await store.settleCall({ ...call, ...DONE });
      // Nobody outside sees either of them yet.
      return { isSettled, refunds: await refunds(id), state: await stateOf() };
    });
    expect(seen).toEqual({ isSettled: true, refunds: 0, state: 'executing' });
    expect([await refunds(id), await stateOf()]).toEqual([1, 'succeeded']);
  });

  it('keeps neither where the work throws after both', async () => {
    const id = randomUUID();
    const work = store.transaction(async () => {
      await refund(id);
      await store.settleCall({ ...call, ...DONE });
      throw new Error('the process had second thoughts');
    });
    await expect(work).rejects.toThrow('second thoughts');
    expect([await refunds(id), await stateOf()]).toEqual([0, 'executing']);
    expect(await store.settleCall({ ...call, ...DONE })).toBe(true);
  });

  it('tells a runner whose fence is old that it settled nothing, so that it can take back what it did', async () => {
    const id = randomUUID();
    const work = store.transaction(async () => {
      await refund(id);
      if (!(await store.settleCall({ ...call, fence: call.fence - 1, ...DONE }))) throw new Error('not mine');
    });
    await expect(work).rejects.toThrow('not mine');
    expect(await refunds(id)).toBe(0);
  });

  it('is one transaction where one is in another, and is over when it is over', async () => {
    const id = randomUUID();
    let later: (() => unknown) | undefined;
    const work = store.transaction(async () => {
      await store.transaction(() => refund(id));
      const inner = currentTransaction();
      later = () => currentTransaction();
      expect(inner).toBeDefined();
      setTimeout(() => (later = currentTransaction), 0);
      throw new Error('the outer one fails');
    });
    await expect(work).rejects.toThrow('the outer one fails');
    expect(await refunds(id)).toBe(0);
    expect(later?.()).toBeUndefined();
    expect(currentTransaction()).toBeUndefined();
  });

  it('takes back a part of itself, and keeps the rest', async () => {
    const [kept, lost, after] = [randomUUID(), randomUUID(), randomUUID()];
    await store.transaction(async () => {
      await refund(kept);
      const part = store.transaction(async () => {
        await refund(lost);
        throw new Error('the part fails');
      });
      await expect(part).rejects.toThrow('the part fails');
      await refund(after);
      await store.settleCall({ ...call, ...DONE });
    });
    expect(await Promise.all([kept, lost, after].map(refunds))).toEqual([1, 0, 1]);
    expect(await stateOf()).toBe('succeeded');
  });

  describe('lets nothing be done in it', () => {
    /** Waits in a transaction until `isOver`, and tries then. */
    const late = (isOver: Promise<unknown>, attempt: () => Promise<unknown>): Promise<unknown> =>
      isOver.then(() => attempt()).catch((error: unknown) => error);
    const ways: [string, (id: string) => () => Promise<unknown>][] = [
      ['by whoever asks for it', (id) => () => refund(id)],
      [
        'by whoever kept it',
        (id) => {
          const found = currentTransaction();
          const statement = `INSERT INTO "${place.schema}".refunds VALUES ($1)`;
          if (found?.queryRunner === undefined) return async () => found?.client.query(statement, [id]);
          return () => (found.queryRunner?.manager as EntityManager).query(statement, [id]);
        },
      ],
      [
        'by whoever kept its client',
        (id) => {
          const client = currentTransaction()?.client;
          return async () => client?.query(`INSERT INTO "${place.schema}".refunds VALUES ($1)`, [id]);
        },
      ],
    ];

    it.each(ways)('after it was taken back, %s', async (_by, way) => {
      const [id, isOver] = [randomUUID(), signal()];
      let attempt: Promise<unknown> | undefined;
      const work = store.transaction(async () => {
        attempt = late(isOver.promise, way(id));
        throw new Error('timed out');
      });
      await expect(work).rejects.toThrow('timed out');
      isOver.resolve();
      expect(await attempt).toBeInstanceOf(Error);
      expect(await refunds(id)).toBe(0);
      // Nor is its connection anybody else's.
      await store.transaction(() => refund(id));
      expect(await refunds(id)).toBe(1);
    });

    it.each(ways.slice(1))('after it was committed, %s', async (_by, way) => {
      const [id, isOver] = [randomUUID(), signal()];
      let attempt: Promise<unknown> | undefined;
      await store.transaction(async () => {
        attempt = late(isOver.promise, way(id));
      });
      isOver.resolve();
      expect(await attempt).toBeInstanceOf(Error);
      expect(await refunds(id)).toBe(0);
    });

    it('after it was taken back, and says so by a code', async () => {
      const isOver = signal();
      let attempt: Promise<unknown> | undefined;
      let unasked: unknown;
      await store.transaction(async () => {
        attempt = late(isOver.promise, async () => (unasked = currentTransaction()));
      });
      isOver.resolve();
      expect(await attempt).toBeUndefined();
      expect(unasked).toBeUndefined();
      const again = signal();
      const work = store.transaction(async () => {
        attempt = late(again.promise, async () => currentTransaction());
        throw new Error('timed out');
      });
      await expect(work).rejects.toThrow('timed out');
      again.resolve();
      expect(await attempt).toMatchObject({ code: 'store_transaction_ended' });
    });
  });

  it('keeps those of two calls apart, at the same time', async () => {
    const other = await claimedCall(store);
    const ids = [randomUUID(), randomUUID()] as const;
    const [kept, lost] = await Promise.allSettled([
      store.transaction(async () => {
        await refund(ids[0]);
        return store.settleCall({ ...call, ...DONE });
      }),
      store.transaction(async () => {
        await refund(ids[1]);
        await store.settleCall({ ...other, ...DONE });
        throw new Error('lost');
      }),
    ]);
    expect([kept.status, lost.status]).toEqual(['fulfilled', 'rejected']);
    expect([await refunds(ids[0]), await refunds(ids[1])]).toEqual([1, 0]);
  });

  it('is not another store’s: that one settles by itself', async () => {
    const elsewhere = place.store();
    const work = store.transaction(async () => {
      await elsewhere.settleCall({ ...call, ...DONE });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await stateOf()).toBe('succeeded');
  });
});

function signal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
