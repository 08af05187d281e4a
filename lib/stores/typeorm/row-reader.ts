import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { ListPlan } from '../../query/index.js';
import { decodeValue, outputSql, quoteIdentifier, rawSql, sql, type SqlText } from '../../query/sql/index.js';
import type { FieldColumn } from './field-columns.js';
import type { UsedColumns } from './used-columns.js';

type Answer = Readonly<Record<string, unknown>>;

/** Selects what a list's rows hold, and makes rows of what the driver answers. */
export class RowReader<Row extends object> {
  readonly #returned: readonly FieldColumn[];
  readonly #keys: readonly FieldColumn[];

  constructor(
    private readonly readModel: Type<Row>,
    plan: ListPlan,
    columns: ReadonlyMap<string, FieldColumn>,
  ) {
    const names = plan.returnable ?? [...columns.keys()];
    const named = (name: string) => columns.get(name) ?? [];
    this.#returned = names.flatMap(named);
    this.#keys = plan.sorts.flatMap(({ field }) => named(field.name));
  }

  /** What rows hold, and what they are sorted by: cursors are made of it. */
  selected(columns: UsedColumns): readonly SqlText[] {
    return [...new Set([...this.#returned, ...this.#keys])].map((column) => {
      const { known } = column;
      const raw = columns.rawColumn(column);
      const value = known ? outputSql(known.field, known.column, columns.dialect) : raw;
      return sql`${value} AS ${rawSql(quoteIdentifier(outputOf(column), columns.dialect))}`;
    });
  }

  row(answer: Answer): Row {
    const row = Object.create(this.readModel.prototype as object) as Record<string, unknown>;
    for (const column of this.#returned) row[column.name] = this.#valueOf(column, answer[outputOf(column)]);
    return row as Row;
  }

  /** The sort keys of the first and the last row. */
  edges(answers: readonly Answer[]): { readonly edges?: { readonly first: object; readonly last: object } } {
    const [first] = answers;
    const last = answers[answers.length - 1];
    return first && last ? { edges: { first: this.#keysOf(first), last: this.#keysOf(last) } } : {};
  }

  #keysOf(answer: Answer): object {
    return Object.fromEntries(this.#keys.map((column) => [column.name, exactValue(column, answer[outputOf(column)])]));
  }

  #valueOf(column: FieldColumn, answer: unknown): unknown {
    const value = exactValue(column, answer);
    const isMoment = column.known?.field.kind === 'datetime' && typeof value === 'string';
    return isMoment && this.#holdsDates(column.name) ? new Date(value) : value;
  }

  #holdsDates(name: string): boolean {
    return Reflect.getMetadata('design:type', this.readModel.prototype as object, name) !== String;
  }
}

function exactValue({ known, metadata }: FieldColumn, answer: unknown): unknown {
  if (known) return decodeValue(answer, known.field, known.column);
  const value: unknown = metadata.entityMetadata.dataSource.driver.prepareHydratedValue(answer, metadata);
  return value ?? null;
}

/** Other names than the scope's: a database may take a name in `ORDER BY` for either. */
function outputOf({ alias }: FieldColumn): string {
  return `r${alias.slice(1)}`;
}
