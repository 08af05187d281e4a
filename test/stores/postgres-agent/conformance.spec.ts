import { afterAll, beforeAll, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { storeConformance } from 'nestjs-palette/testing';
import { POSTGRES } from '../../support/servers.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

describeOnPostgres.each(['pool', 'TypeORM DataSource'] as const)('PostgresAgentStore over a %s', (kind) => {
  let place: PostgresPlace;
  let dataSource: DataSource | undefined;

  beforeAll(async () => {
    place = await PostgresPlace.open(kind === 'pool' ? 'conformance' : 'conformance_typeorm');
    if (kind === 'pool') return;
    const { user: username, host, port, password, database } = POSTGRES;
    dataSource = await new DataSource({
      type: 'postgres',
      host,
      port,
      username,
      password,
      database,
      poolSize: 20,
    }).initialize();
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await place.close();
  });

  it.each(storeConformance())('$name', async ({ run }) => {
    await run(() => place.underTest(dataSource ?? place.pool));
  });
});
