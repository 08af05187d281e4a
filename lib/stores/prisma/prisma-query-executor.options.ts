import type { Type } from '@nestjs/common';
import type { FieldName } from '../../query/index.js';

export interface PrismaQueryExecutorOptions<Row extends object> {
  /** The class that rows are read as: its policy's fields and their kinds. */
  readonly readModel: Type<Row>;
  /** The model as the Prisma schema names it: `Note`. */
  readonly model: string;
  /**
   * The schema of its table on PostgreSQL, where the driver adapter was given one: Prisma keeps that to itself. Default:
   * the one in the Prisma schema, or the search path.
   */
  readonly schema?: string;
  /** The model's field of a read field that goes by another name. Default: the field of the same name. */
  readonly columns?: Readonly<Partial<Record<FieldName<Row>, string>>>;
  /** Fields that no column holds, and that the application fills in itself. They cannot be asked for. Default: none. */
  readonly computed?: readonly FieldName<Row>[];
  /** Lets a call without a scope read the whole table. Default: false, it is refused. */
  readonly allowUnscoped?: boolean;
}

export interface ResolvedPrismaOptions {
  readonly columns: ReadonlyMap<string, string>;
  readonly computed: readonly string[];
  readonly allowUnscoped: boolean;
}

export function resolvePrismaOptions<Row extends object>(
  options: PrismaQueryExecutorOptions<Row>,
): ResolvedPrismaOptions {
  const { columns = {}, computed = [], allowUnscoped = false } = options;
  return Object.freeze({
    columns: new Map(Object.entries(columns as Record<string, string>)),
    computed: Object.freeze([...computed]),
    allowUnscoped,
  });
}
