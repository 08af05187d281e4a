import { describe, expect, it } from '@jest/globals';
import { IsArray, IsNumber, IsString } from 'class-validator';
import { integer, pgTable, real, text } from 'drizzle-orm/pg-core';
import { sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core';
import { QueryPolicy } from '../../../lib/query/index.js';
import { DrizzleQueryExecutor } from '../../../lib/stores/drizzle/index.js';
import { catchError } from '../../support/catch-error.js';
import { silentPostgres } from './support/silent-drivers.js';

@QueryPolicy({ filterable: ['name', 'weight'], sortable: [], aggregatable: [] })
class ThingRead {
  @IsString() name!: string;
  @IsNumber() weight!: number;
  @IsArray() tags!: string[];
  @IsString() shown!: string;
}

const { database } = silentPostgres();
const other = pgTable('others', { name: text(), shown: text() });

describe('DrizzleQueryExecutor, when it is made', () => {
  it('tells of every field without a column, and of every column that does not compare as its kind', async () => {
    const things = pgTable('things', { weight: real(), tags: text().array() });
    const make = () =>
      new DrizzleQueryExecutor(database, things, { readModel: ThingRead, columns: { name: other.name } });
    const error = await catchError(make);
    for (const part of [
      'query_store_field_unmapped',
      '"name"',
      '"shown"',
      'query_store_column_unsupported',
      '"weight"',
    ]) {
      expect(error.message).toContain(part);
    }
    expect(error.message).not.toContain('"tags"');
  });

  it('takes columns by other names, and leaves what is computed to the application', () => {
    const things = pgTable('things', { title: text(), weight: integer(), tags: text().array() });
    const make = () =>
      new DrizzleQueryExecutor(database, things, {
        readModel: ThingRead,
        columns: { name: things.title },
        computed: ['shown'],
      });
    expect(make().capabilities.operators).toContain('$like');
  });

  it('refuses a table of another dialect', async () => {
    const things = sqliteTable('things', { name: sqliteText() });
    const error = await catchError(() => new DrizzleQueryExecutor(database, things, { readModel: ThingRead }));
    expect(error).toBeInstanceOf(TypeError);
  });
});
