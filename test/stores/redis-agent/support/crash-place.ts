import { Redis } from 'ioredis';
import { RedisAgentStore, type RedisAgentStoreOptions } from 'nestjs-palette/redis';
import { REDIS } from '../../../support/servers.js';
import type { CrashPlace } from '../../agent-support/crashes/crash-app.js';

/** Where a process of the crash tests keeps what it does. */
export function crashPlace(keyPrefix: string, options: Partial<RedisAgentStoreOptions> = {}): CrashPlace {
  const client = new Redis(REDIS);
  const store = new RedisAgentStore({ client, keyPrefix, ...options });
  const key = (conversation: string) => `{${keyPrefix}}:bookings:${conversation}`;
  return {
    store,
    book: async (conversation) => void (await client.incr(key(conversation))),
    booked: async (conversation) => Number((await client.get(key(conversation))) ?? 0),
    close: async () => {
      store.close();
      client.disconnect();
    },
  };
}
