import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseListQuery, resolveQueryPolicy } from '../../../lib/query/index.js';
import { PrismaQueryExecutor } from '../../../lib/stores/prisma/index.js';
import { catchError } from '../../support/catch-error.js';
import { postgresSchema } from '../../support/servers.js';
import { AwkwardRead } from '../support/awkward-rows.js';
import { postgresClient } from './awkward-client.js';
import type { AwkwardClient } from './generated-client.js';

const place = await postgresSchema('prisma_columns');
const describeThere = place === undefined ? describe.skip : describe;
const plan = parseListQuery({}, resolveQueryPolicy(AwkwardRead));

describeThere('the columns that PostgreSQL has for a Prisma model', () => {
  let client: AwkwardClient;
  const schema = place?.place ?? '';
  const list = (within = schema) =>
    new PrismaQueryExecutor(client, { readModel: AwkwardRead, model: 'AwkwardRow', schema: within }).list(plan, {});

  beforeAll(async () => {
    if (place !== undefined) client = await postgresClient([], place);
  }, 60_000);
  afterAll(async () => {
    await client.$disconnect();
    await place?.drop();
  });

  it('are found where the table is, and missed where it is not', async () => {
    expect((await list()).total).toBe(0);
    expect(await catchError(() => list('nowhere'))).toMatchObject({ message: expect.stringContaining('no table') });
  });

  it('are refused where they compare in another way: single precision, and enums whose values have other names', async () => {
    await client.$executeRawUnsafe(`ALTER TABLE ${schema}.awkward_rows ALTER COLUMN ratio TYPE real`);
    await client.$executeRawUnsafe(`ALTER TYPE ${schema}."Status" RENAME VALUE 'draft' TO 'DRAFT'`);
    const error = await catchError(() => list());
    expect(error.message).toContain('"ratio"');
    expect(error.message).toContain('"status"');
    expect(error.message).not.toContain('"price"');
  });
});
