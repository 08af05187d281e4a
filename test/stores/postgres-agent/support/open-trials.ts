import type { OpenedTrials } from '../../agent-support/crashes/trials-in.js';
import { bookingsTable, crashPlace } from './crash-place.js';
import { PostgresPlace } from './postgres-store.js';

/** A schema of its own, and what processes need to work in it. */
export async function openTrials(name: string): Promise<OpenedTrials> {
  const place = await PostgresPlace.open(name);
  await place.pool.query(bookingsTable(place.schema));
  const kept = crashPlace(place.schema);
  return {
    setup: {
      file: 'test/stores/postgres-agent/processes/crashes.ts',
      parts: ['test/stores/agent-support', 'test/stores/postgres-agent/support'],
      env: { CRASH_SCHEMA: place.schema },
      platform: 'fastify',
      place: kept,
    },
    close: async () => {
      await kept.close();
      await place.close();
    },
  };
}
