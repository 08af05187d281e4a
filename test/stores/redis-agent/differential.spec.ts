import { afterAll, beforeAll, it } from '@jest/globals';
import { expectAsInMemory } from '../agent-support/memory-differential.js';
import { RACE_RUNS } from '../agent-support/race-runs.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

// The rules are written twice, in TypeScript for the other stores and in Lua for this one.
describeOnRedis('RedisAgentStore, held against the one in memory', () => {
  let place: RedisPlace;

  beforeAll(() => {
    place = new RedisPlace('differential');
  });
  afterAll(() => place.close());

  it(
    'comes to the same outcomes, and keeps the same',
    () => expectAsInMemory(() => place.underTest(), RACE_RUNS),
    60_000 + RACE_RUNS * 600,
  );
});
