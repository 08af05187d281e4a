import { mariadbDatabase, postgresSchema } from '../../support/servers.js';
import { describeDifferential } from '../support/store-differential.js';
import { openMariadb } from './support/mariadb-store.js';
import { openPostgres } from './support/postgres-store.js';
import { openSqlite } from './support/sqlite-store.js';

describeDifferential({ name: 'Drizzle on SQLite', isExact: false, open: openSqlite });

const postgres = await postgresSchema('drizzle');
if (postgres) {
  describeDifferential({ name: 'Drizzle on PostgreSQL', open: (rows) => openPostgres(postgres, rows) });
}

const mariadb = await mariadbDatabase('drizzle');
if (mariadb) {
  describeDifferential({ name: 'Drizzle on MariaDB', open: (rows) => openMariadb(mariadb, rows) });
}
