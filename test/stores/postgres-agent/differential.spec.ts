import { afterAll, beforeAll, it } from '@jest/globals';
import { expectAsInMemory } from '../agent-support/memory-differential.js';
import { RACE_RUNS } from '../agent-support/race-runs.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

describeOnPostgres('PostgresAgentStore, held against the one in memory', () => {
  let place: PostgresPlace;

  beforeAll(async () => {
    place = await PostgresPlace.open('differential');
  });
  afterAll(() => place.close());

  it(
    'comes to the same outcomes, and keeps the same',
    () => expectAsInMemory(() => place.underTest(), Math.ceil(RACE_RUNS / 5)),
    60_000 + RACE_RUNS * 1000,
  );
});
