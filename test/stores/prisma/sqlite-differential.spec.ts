import { PrismaQueryExecutor, type PrismaScope } from '../../../lib/stores/prisma/index.js';
import { AwkwardRead } from '../support/awkward-rows.js';
import { describeDifferential } from '../support/store-differential.js';
import { sqliteClient } from './awkward-client.js';

describeDifferential<PrismaScope>({
  name: 'Prisma on SQLite',
  isExact: false,
  open: async (rows) => {
    const client = await sqliteClient(rows);
    return {
      executor: new PrismaQueryExecutor(client, { readModel: AwkwardRead, model: 'AwkwardRow' }),
      base: () => ({}),
      close: () => client.$disconnect(),
    };
  },
});
