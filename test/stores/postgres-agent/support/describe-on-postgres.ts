import { describe } from '@jest/globals';
import { postgresSchema } from '../../../support/servers.js';

const probe = await postgresSchema('probe');
await probe?.drop();

/** `describe` where PostgreSQL answers. Elsewhere its tests are skipped, and counted as that. */
export const describeOnPostgres = probe === undefined ? describe.skip : describe;
