import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { parseListQuery, resolveQueryPolicy } from '../../../lib/query/index.js';
import { TypeOrmQueryExecutor } from '../../../lib/stores/typeorm/index.js';
import { postgresSchema } from '../../support/servers.js';
import { Book, BookRead, StatementLog, openLibrary } from './library.js';

const server = await postgresSchema('typeorm_index');

if (server === undefined) it.skip('TypeORM on PostgreSQL: no server answers', () => undefined);
else {
  const { place, host, port, user, password, database, drop } = server;

  describe('TypeORM on PostgreSQL', () => {
    const log = new StatementLog();
    let dataSource: DataSource;

    beforeAll(async () => {
      const account = { host, port, username: user, password, database, schema: place };
      dataSource = await openLibrary({ type: 'postgres', ...account }, log);
    });
    afterAll(async () => {
      await dataSource.destroy();
      await drop();
    });

    it('looks an equal title up in the index, within the scope', async () => {
      const books = dataSource.getRepository(Book);
      const executor = new TypeOrmQueryExecutor(books, { readModel: BookRead, columns: { city: 'place.city' } });
      const plan = parseListQuery({ filters: { $values: { title: 'One' } } }, resolveQueryPolicy(BookRead));
      const base = books.createQueryBuilder('book').where('book.tenant = :tenant', { tenant: 'a' });
      expect((await executor.list(plan, base)).rows).toHaveLength(1);
      const explained = await dataSource.transaction(async (manager) => {
        // Five rows are read faster without an index: the question is whether it can be used.
        await manager.query('SET LOCAL enable_seqscan = off');
        return manager.query<unknown[]>(`EXPLAIN ${log.statements[0]}`, ['a', 'One']);
      });
      expect(JSON.stringify(explained)).toMatch(/Index Cond: \(\(title\)::text = 'One'::text\)/);
    });
  });
}
