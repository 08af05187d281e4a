import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { sql, type Column, type SQL } from 'drizzle-orm';
import type { ListPlan, ListResult } from '../../query/index.js';
import { decodeValue, outputSql, type SqlDialect } from '../../query/sql/index.js';
import type { FieldColumn, FieldColumns } from './field-columns.js';
import { toDrizzleSql } from './to-drizzle-sql.js';

type Answer = Readonly<Record<string, unknown>>;

/** Selects what a list's rows hold, and makes rows of what Drizzle answers. */
export class RowReader<Row extends object> {
  readonly #returned: readonly FieldColumn[];
  readonly #keys: readonly FieldColumn[];

  constructor(
    private readonly readModel: Type<Row>,
    plan: ListPlan,
    columns: FieldColumns,
  ) {
    const named = (name: string) => columns.get(name) ?? [];
    this.#returned = (plan.returnable ?? [...columns.keys()]).flatMap(named);
    this.#keys = plan.sorts.flatMap(({ field }) => named(field.name));
  }

  /** What rows hold and what they are sorted by, in a form that no driver rounds; Drizzle reads what has no kind. */
  selection(dialect: SqlDialect): Record<string, Column | SQL> {
    const columns = [...this.#returned, ...this.#keys];
    // Rows may hold nothing; a statement may not.
    if (columns.length === 0) return { none: sql`1` };
    return Object.fromEntries(
      columns.map(({ name, column, known }) => [
        name,
        known ? toDrizzleSql(outputSql(known.field, known.sqlColumn, dialect)) : column,
      ]),
    );
  }

  row(answer: Answer): Row {
    const row = Object.create(this.readModel.prototype as object) as Record<string, unknown>;
    for (const column of this.#returned) row[column.name] = this.#valueOf(column, answer);
    return row as Row;
  }

  /** The sort keys of the first and the last row; nothing where there are none. */
  edges(answers: readonly Answer[]): Pick<ListResult<Row>, 'edges'> {
    const [first, last] = [answers[0], answers[answers.length - 1]];
    return first && last ? { edges: { first: this.#keysOf(first), last: this.#keysOf(last) } } : {};
  }

  #keysOf(answer: Answer): object {
    return Object.fromEntries(this.#keys.map((column) => [column.name, exactValue(column, answer)]));
  }

  #valueOf(column: FieldColumn, answer: Answer): unknown {
    const value = exactValue(column, answer);
    const isMoment = column.known?.field.kind === 'datetime' && typeof value === 'string';
    return isMoment && this.#holdsDates(column.name) ? new Date(value) : value;
  }

  #holdsDates(name: string): boolean {
    return Reflect.getMetadata('design:type', this.readModel.prototype as object, name) !== String;
  }
}

function exactValue({ name, known }: FieldColumn, answer: Answer): unknown {
  return known ? decodeValue(answer[name], known.field, known.sqlColumn) : answer[name];
}
