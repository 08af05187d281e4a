import { afterAll, beforeAll } from '@jest/globals';
import { itSurvivesStops } from '../agent-support/crashes/crash-suite.js';
import type { CrashTrials } from '../agent-support/crashes/crash-trials.js';
import { stopTrials } from '../agent-support/crashes/stop-trials.js';
import type { CrashPlace } from '../agent-support/crashes/crash-app.js';
import { crashPlace } from './support/crash-place.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

const PARTS = ['test/stores/agent-support', 'test/stores/redis-agent/support'];

describeOnRedis('a process that is stopped for longer than its lease, its conversation in Redis,', () => {
  let place: RedisPlace;
  let kept: CrashPlace;
  let found: CrashTrials;

  beforeAll(async () => {
    place = new RedisPlace('stops');
    kept = crashPlace(place.keyPrefix);
    found = await stopTrials({
      file: 'test/stores/redis-agent/processes/crashes.ts',
      parts: PARTS,
      env: { CRASH_PREFIX: place.keyPrefix },
      platform: 'express',
      place: kept,
    });
  }, 240_000);
  afterAll(async () => {
    await kept.close();
    await place.close();
  });

  itSurvivesStops(() => found, false);
});
