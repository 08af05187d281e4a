import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { PostgresAgentStore } from '../../../../lib/stores/postgres/index.js';
import { POSTGRES } from '../../../support/servers.js';
import { raceProcess } from '../../agent-support/race-process.js';

await raceProcess(fileURLToPath(import.meta.url), async () => {
  const { host, port, user, password, database } = POSTGRES;
  const pool = new Pool({ host, port, user, password, database, max: 8 });
  const store = new PostgresAgentStore(pool, { schema: process.env['RACE_SCHEMA'] });
  return { store, close: () => pool.end() };
});
