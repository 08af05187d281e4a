import { afterAll, beforeAll, it } from '@jest/globals';
import { storeConformance } from 'nestjs-palette/testing';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

describeOnRedis('RedisAgentStore', () => {
  let place: RedisPlace;

  beforeAll(() => {
    place = new RedisPlace('conformance');
  });
  afterAll(() => place.close());

  it.each(storeConformance())('$name', async ({ run }) => {
    await run(() => place.underTest());
  });
});
