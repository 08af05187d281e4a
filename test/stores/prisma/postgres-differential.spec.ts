import { it } from '@jest/globals';
import { PrismaQueryExecutor, type PrismaScope } from '../../../lib/stores/prisma/index.js';
import { postgresSchema } from '../../support/servers.js';
import { AwkwardRead } from '../support/awkward-rows.js';
import { describeDifferential } from '../support/store-differential.js';
import { postgresClient } from './awkward-client.js';

const place = await postgresSchema('prisma');

if (place === undefined) {
  it.skip('Prisma on PostgreSQL: no server answers', () => undefined);
} else {
  describeDifferential<PrismaScope>({
    name: 'Prisma on PostgreSQL',
    open: async (rows) => {
      const client = await postgresClient(rows, place);
      return {
        executor: new PrismaQueryExecutor(client, { readModel: AwkwardRead, model: 'AwkwardRow', schema: place.place }),
        base: () => ({}),
        close: async () => {
          await client.$disconnect();
          await place.drop();
        },
      };
    },
  });
}
