import {
  DataSource,
  EntitySchema,
  type ColumnType,
  type DataSourceOptions,
  type EntitySchemaColumnOptions,
} from 'typeorm';
import { TypeOrmQueryExecutor } from '../../../lib/stores/typeorm/index.js';
import { AwkwardRead, Status } from '../support/awkward-rows.js';
import type { OpenStore } from '../support/store-differential.js';

type Types = Readonly<Record<'text' | 'uuid' | 'enum' | 'real' | 'moment', ColumnType>>;

const TYPES: Readonly<Record<'better-sqlite3' | 'postgres' | 'mariadb', Types>> = {
  'better-sqlite3': { text: 'varchar', uuid: 'varchar', enum: 'simple-enum', real: 'double', moment: 'datetime' },
  postgres: { text: 'varchar', uuid: 'uuid', enum: 'enum', real: 'double precision', moment: 'timestamptz' },
  mariadb: { text: 'varchar', uuid: 'uuid', enum: 'enum', real: 'double', moment: 'datetime' },
};

/** The awkward rows' table, in the types that people use on a database. */
export function awkwardEntity(database: keyof typeof TYPES): EntitySchema<AwkwardRead> {
  const types = TYPES[database];
  const nullable = (type: ColumnType, options: Partial<EntitySchemaColumnOptions> = {}) => ({
    type,
    nullable: true,
    ...options,
  });
  return new EntitySchema<AwkwardRead>({
    name: 'Awkward',
    tableName: 'awkward',
    columns: {
      id: { type: types.uuid, primary: true },
      title: nullable(types.text, { name: 'Title' }),
      sku: nullable(types.text),
      price: nullable(types.real),
      ratio: nullable(types.real),
      stock: nullable('int'),
      cost: nullable('decimal', { precision: 38, scale: 10 }),
      views: nullable('bigint'),
      sold: nullable('boolean'),
      status: nullable(types.enum, { enum: Object.values(Status) }),
      level: nullable('int'),
      released: nullable('date'),
      createdAt: nullable(types.moment, { name: 'created_at', ...(database === 'mariadb' && { precision: 6 }) }),
    },
    indices: [{ columns: ['title'] }],
  });
}

export async function openAwkward(
  options: DataSourceOptions & { readonly type: keyof typeof TYPES },
  rows: readonly AwkwardRead[],
  close: () => Promise<void> = () => Promise.resolve(),
) {
  const entity = awkwardEntity(options.type);
  const dataSource = await new DataSource({ ...options, entities: [entity], synchronize: true }).initialize();
  const repository = dataSource.getRepository(entity);
  await repository.insert(rows.map((row) => ({ ...row })));
  const executor = new TypeOrmQueryExecutor(repository, { readModel: AwkwardRead });
  return {
    executor,
    repository,
    dataSource,
    base: () => repository.createQueryBuilder('awkward'),
    close: async () => {
      await dataSource.destroy();
      await close();
    },
  } satisfies OpenStore<unknown> & Record<string, unknown>;
}
