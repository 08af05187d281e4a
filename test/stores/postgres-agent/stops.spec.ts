import { afterAll, beforeAll } from '@jest/globals';
import { itSurvivesStops } from '../agent-support/crashes/crash-suite.js';
import type { CrashTrials } from '../agent-support/crashes/crash-trials.js';
import { stopTrials } from '../agent-support/crashes/stop-trials.js';
import type { CrashPlace } from '../agent-support/crashes/crash-app.js';
import { bookingsTable, crashPlace } from './support/crash-place.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

const PARTS = ['test/stores/agent-support', 'test/stores/postgres-agent/support'];

describeOnPostgres('a process that is stopped for longer than its lease, its conversation in PostgreSQL,', () => {
  let place: PostgresPlace;
  let kept: CrashPlace;
  let found: CrashTrials;

  beforeAll(async () => {
    place = await PostgresPlace.open('stops');
    await place.pool.query(bookingsTable(place.schema));
    kept = crashPlace(place.schema);
    found = await stopTrials({
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

  itSurvivesStops(() => found, true);
});
