import { it } from '@jest/globals';
import { postgresSchema } from '../../support/servers.js';
import { describeDifferential } from '../support/store-differential.js';
import { openAwkward } from './awkward-entity.js';

const server = await postgresSchema('typeorm');

if (server === undefined) it.skip('TypeORM on PostgreSQL: no server answers', () => undefined);
else {
  const { place, host, port, user, password, database, drop } = server;
  describeDifferential({
    name: 'TypeORM on PostgreSQL',
    open: (rows) =>
      openAwkward({ type: 'postgres', host, port, username: user, password, database, schema: place }, rows, drop),
  });
}
