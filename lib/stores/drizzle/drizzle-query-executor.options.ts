import type { Type } from '@nestjs/common';
import type { Column } from 'drizzle-orm';
import type { FieldName } from '../../query/index.js';

export interface DrizzleQueryExecutorOptions<Row extends object> {
  /** The class that rows are read as: its policy's fields and their kinds. */
  readonly readModel: Type<Row>;
  /** The table's column of a field that the schema names otherwise. Default: the column of the field's own name. */
  readonly columns?: Readonly<Partial<Record<FieldName<Row>, Column>>>;
  /** Fields that no column holds, and that the application fills in itself. They cannot be asked for. Default: none. */
  readonly computed?: readonly FieldName<Row>[];
  /** Lets a call without a base read the whole table. Default: false, it is refused. */
  readonly allowUnscoped?: boolean;
}

export interface ResolvedDrizzleOptions {
  readonly columns: ReadonlyMap<string, Column>;
  readonly computed: readonly string[];
  readonly allowUnscoped: boolean;
}

export function resolveDrizzleOptions<Row extends object>(
  options: DrizzleQueryExecutorOptions<Row>,
): ResolvedDrizzleOptions {
  const { columns = {}, computed = [], allowUnscoped = false } = options;
  return Object.freeze({
    columns: new Map(Object.entries(columns as Record<string, Column>)),
    computed: Object.freeze([...computed]),
    allowUnscoped,
  });
}
