import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { RedisAgentStore } from '../../../../lib/stores/redis/index.js';
import { REDIS } from '../../../support/servers.js';
import { raceProcess } from '../../agent-support/race-process.js';

await raceProcess(fileURLToPath(import.meta.url), async () => {
  const client = new Redis(REDIS);
  const store = new RedisAgentStore({ client, keyPrefix: process.env['RACE_PREFIX'] });
  return { store, close: async () => client.disconnect() };
});
