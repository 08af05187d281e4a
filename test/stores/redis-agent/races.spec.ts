import { afterAll, beforeAll, it } from '@jest/globals';
import { runCompiled } from '../../support/run-compiled.js';
import type { RaceTally } from '../agent-support/race-referee.js';
import { expectFair, RACE_RUNS } from '../agent-support/race-runs.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

describeOnRedis('two processes at one approval, their clocks ten minutes apart', () => {
  let place: RedisPlace;

  beforeAll(() => {
    place = new RedisPlace('races');
  });
  afterAll(() => place.close());

  it(
    `decide once and run at most once, in ${RACE_RUNS} interleavings of each race`,
    async () => {
      const env = { RACE_PREFIX: place.keyPrefix, RACE_RUNS: String(RACE_RUNS) };
      expectFair(await runCompiled<RaceTally[]>('test/stores/redis-agent/processes/races.ts', PARTS, env));
    },
    60_000 + RACE_RUNS * 600,
  );
});

const PARTS = ['test/stores/agent-support'];
