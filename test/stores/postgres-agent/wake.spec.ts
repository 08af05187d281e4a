import { afterAll, beforeAll } from '@jest/globals';
import { itWakesReplicas } from '../agent-support/wake-suite.js';
import { bookingsTable, crashPlace } from './support/crash-place.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

describeOnPostgres('a decision, kept in PostgreSQL,', () => {
  let place: PostgresPlace;

  beforeAll(async () => {
    place = await PostgresPlace.open('wake');
    await place.pool.query(bookingsTable(place.schema));
  });
  afterAll(() => place.close());

  itWakesReplicas((options) => crashPlace(place.schema, options));
});
