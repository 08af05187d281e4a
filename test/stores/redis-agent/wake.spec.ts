import { afterAll, beforeAll } from '@jest/globals';
import { itWakesReplicas } from '../agent-support/wake-suite.js';
import { crashPlace } from './support/crash-place.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

describeOnRedis('a decision, kept in Redis,', () => {
  let place: RedisPlace;

  beforeAll(() => {
    place = new RedisPlace('wake');
  });
  afterAll(() => place.close());

  itWakesReplicas((options) => crashPlace(place.keyPrefix, options));
});
