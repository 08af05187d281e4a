import { it } from '@jest/globals';
import { mariadbDatabase } from '../../support/servers.js';
import { describeDifferential } from '../support/store-differential.js';
import { openAwkward } from './awkward-entity.js';

const server = await mariadbDatabase('typeorm');

if (server === undefined) it.skip('TypeORM on MariaDB: no server answers', () => undefined);
else {
  const { place, host, port, user, password, drop } = server;
  describeDifferential({
    name: 'TypeORM on MariaDB',
    open: (rows) => openAwkward({ type: 'mariadb', host, port, username: user, password, database: place }, rows, drop),
  });
}
