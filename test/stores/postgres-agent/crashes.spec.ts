import { afterAll, beforeAll } from '@jest/globals';
import { itSurvivesCrashes } from '../agent-support/crashes/crash-suite.js';
import { crashTrials, type CrashTrials } from '../agent-support/crashes/crash-trials.js';
import type { CrashPlace } from '../agent-support/crashes/crash-app.js';
import { bookingsTable, crashPlace } from './support/crash-place.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

const PARTS = ['test/stores/agent-support', 'test/stores/postgres-agent/support'];

describeOnPostgres('a process that is killed, its conversation in PostgreSQL,', () => {
  let place: PostgresPlace;
  let kept: CrashPlace;
  let found: CrashTrials;

  beforeAll(async () => {
    place = await PostgresPlace.open('crashes');
    await place.pool.query(bookingsTable(place.schema));
    kept = crashPlace(place.schema);
    found = await crashTrials({
      file: 'test/stores/postgres-agent/processes/crashes.ts',
      parts: PARTS,
      env: { CRASH_SCHEMA: place.schema },
      platform: 'fastify',
      place: kept,
    });
  }, 240_000);
  afterAll(async () => {
    await kept?.close();
    await place.close();
  });

  itSurvivesCrashes(() => found, true);
});
