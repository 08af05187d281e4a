import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { ListPlan, ListResult, QueryField } from '../../query/index.js';
import {
  decodeValue,
  outputSql,
  quoteIdentifier,
  rawSql,
  sql,
  type SqlColumn,
  type SqlDialect,
  type SqlText,
} from '../../query/sql/index.js';
import type { FieldColumn, FieldColumns } from './field-columns.js';

type Answer = Readonly<Record<string, unknown>>;

/** Selects what a list's rows hold, and makes rows of what Prisma answers. */
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

  /** What rows hold and what they are sorted by, in a form that no driver rounds; Prisma reads what has no kind. */
  selection(dialect: SqlDialect): readonly SqlText[] {
    return [...new Set([...this.#returned, ...this.#keys])].map(({ name, sql: column, known }) => {
      const value = known ? outputSql(known.field, known.column, dialect) : rawSql(column);
      return sql`${value} AS ${rawSql(quoteIdentifier(name, dialect))}`;
    });
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
    return Object.fromEntries(this.#keys.map((column) => [column.name, heldValue(column, answer)]));
  }

  #valueOf(column: FieldColumn, answer: Answer): unknown {
    const value = heldValue(column, answer);
    const isMoment = column.known?.field.kind === 'datetime' && typeof value === 'string';
    return isMoment && this.#holdsDates(column.name) ? new Date(value) : value;
  }

  #holdsDates(name: string): boolean {
    return Reflect.getMetadata('design:type', this.readModel.prototype as object, name) !== String;
  }
}

function heldValue({ name, known }: FieldColumn, answer: Answer): unknown {
  return known ? exactValue(answer[name], known.field, known.column) : answer[name];
}

/** A value of an answer as JSON: moments with all their digits, which a `Date` does not hold. */
export function exactValue(value: unknown, field: QueryField, column: SqlColumn): unknown {
  return decodeValue(isDecimal(value) ? value.toFixed() : value, field, column);
}

/** Prisma's class for PostgreSQL's `numeric`, whichever copy of it the application has. */
function isDecimal(value: unknown): value is { toFixed(): string } {
  return typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function';
}
