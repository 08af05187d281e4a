import type { OpenedTrials } from '../../agent-support/crashes/trials-in.js';
import { crashPlace } from './crash-place.js';
import { RedisPlace } from './redis-place.js';

/** Keys of its own, and what processes need to work with them. */
export async function openTrials(name: string): Promise<OpenedTrials> {
  const place = new RedisPlace(name);
  const kept = crashPlace(place.keyPrefix);
  return {
    setup: {
      file: 'test/stores/redis-agent/processes/crashes.ts',
      parts: ['test/stores/agent-support', 'test/stores/redis-agent/support'],
      env: { CRASH_PREFIX: place.keyPrefix },
      platform: 'express',
      place: kept,
    },
    close: async () => {
      await kept.close();
      await place.close();
    },
  };
}
