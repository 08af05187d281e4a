import type { Type } from '@nestjs/common';
import type { FieldName } from '../../query/index.js';

export interface TypeOrmQueryExecutorOptions<Row extends object> {
  /** The class that rows are read as: its policy's fields and their kinds. */
  readonly readModel: Type<Row>;
  /**
   * The entity's property of a field that is named otherwise, embedded ones with a dot: `{ city: 'address.city' }`.
   * Default: the field's own name.
   */
  readonly columns?: Readonly<Partial<Record<FieldName<Row>, string>>>;
  /** Fields that no column holds, and that the application fills in itself. They cannot be asked for. Default: none. */
  readonly computed?: readonly FieldName<Row>[];
  /**
   * Fields whose column has a transformer and holds values of the field's kind nonetheless: a `numeric` that the transformer
   * makes a number. They are read past it. Default: none, such a field cannot be asked for.
   */
  readonly storedAsIs?: readonly FieldName<Row>[];
  /** Lets a call without a base read the whole table. Default: false, it is refused. */
  readonly allowUnscoped?: boolean;
}

export interface ResolvedTypeOrmOptions {
  readonly columns: ReadonlyMap<string, string>;
  readonly computed: readonly string[];
  readonly storedAsIs: readonly string[];
  readonly allowUnscoped: boolean;
}

export function resolveTypeOrmOptions<Row extends object>(
  options: TypeOrmQueryExecutorOptions<Row>,
): ResolvedTypeOrmOptions {
  const { columns = {}, computed = [], storedAsIs = [], allowUnscoped = false } = options;
  return Object.freeze({
    columns: new Map(Object.entries(columns as Record<string, string>)),
    computed: Object.freeze([...computed]),
    storedAsIs: Object.freeze([...storedAsIs]),
    allowUnscoped,
  });
}
