import { afterAll, beforeAll, it } from '@jest/globals';
import { runCompiled } from '../../support/run-compiled.js';
import type { RaceTally } from '../agent-support/race-referee.js';
import { expectFair, RACE_RUNS } from '../agent-support/race-runs.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

describeOnPostgres('two processes at one approval, their clocks ten minutes apart', () => {
  let place: PostgresPlace;

  beforeAll(async () => {
    place = await PostgresPlace.open('races');
  });
  afterAll(() => place.close());

  it(
    `decide once and run at most once, in ${RACE_RUNS} interleavings of each race`,
    async () => {
      const env = { RACE_SCHEMA: place.schema, RACE_RUNS: String(RACE_RUNS) };
      expectFair(await runCompiled<RaceTally[]>('test/stores/postgres-agent/processes/races.ts', PARTS, env));
    },
    60_000 + RACE_RUNS * 600,
  );
});

const PARTS = ['test/stores/agent-support'];
