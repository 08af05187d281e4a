import { QueryError, type QueryField } from '../../query/index.js';
import {
  rawSql,
  type SqlColumn,
  type SqlContext,
  type SqlDialect,
  type SqlText,
  quoteIdentifier,
} from '../../query/sql/index.js';
import { SCOPE, type FieldColumn } from './field-columns.js';

/** The columns of a read model, and which of them one statement has used: the scope yields no others. */
export class UsedColumns implements SqlContext {
  readonly #used = new Set<FieldColumn>();

  constructor(
    private readonly columns: ReadonlyMap<string, FieldColumn>,
    readonly dialect: SqlDialect,
  ) {}

  get used(): readonly FieldColumn[] {
    return [...this.#used];
  }

  /** @throws QueryError `query_unsupported_by_store` for a field that no column holds as its kind */
  columnOf({ name }: QueryField): SqlColumn {
    const found = this.columns.get(name);
    if (found?.known === undefined) {
      const known = [...this.columns.values()].filter((each) => each.known !== undefined);
      const allowed = known.map((each) => each.name);
      throw new QueryError([{ code: 'query_unsupported_by_store', pointer: '', field: name, allowed }]);
    }
    this.#used.add(found);
    return found.known.column;
  }

  /** A column as it stands in the scope, whatever it holds. */
  rawColumn(column: FieldColumn): SqlText {
    this.#used.add(column);
    return rawSql(`${quoteIdentifier(SCOPE, this.dialect)}.${quoteIdentifier(column.alias, this.dialect)}`);
  }
}
