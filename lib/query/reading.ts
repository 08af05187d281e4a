import type { FilterNode, ListPlan, SortKey } from './ast.js';
import type { ListResult } from './executor.js';
import type { QueryField } from './kinds/index.js';

/** What a store reads for a list plan, however it pages. */
export interface ListReading<Name extends string = string> {
  /** The plan's filter, and the place of the cursor where there is one. */
  readonly filter?: FilterNode<QueryField<Name>>;
  readonly sorts: readonly SortKey<QueryField<Name>>[];
  /** Rows to leave out at the start. */
  readonly offset: number;
  /** Rows to read at most: one more than the page holds, which tells whether there are more. */
  readonly limit: number;
}

/** The one statement that a list plan asks of a store. `resultOf` makes the answer of what it yields. */
export function readingOf<Name extends string>(plan: ListPlan<Name>): ListReading<Name> {
  const { paging } = plan;
  const limit = paging.size + 1;
  if (paging.kind === 'offset') return { ...filterOf([plan.filter]), sorts: plan.sorts, offset: paging.offset, limit };
  return { ...filterOf([plan.filter, paging.seek]), sorts: paging.readSorts, offset: 0, limit };
}

/** The page of what was read by `readingOf`, in the plan's order. */
export function resultOf<Row>({ paging }: ListPlan, read: readonly Row[]): Pick<ListResult<Row>, 'rows' | 'hasMore'> {
  const rows = read.slice(0, paging.size);
  const isBackward = paging.kind === 'cursor' && paging.direction === 'backward';
  return { rows: isBackward ? rows.reverse() : rows, hasMore: read.length > paging.size };
}

function filterOf<Field extends QueryField>(
  parts: readonly (FilterNode<Field> | undefined)[],
): { readonly filter?: FilterNode<Field> } {
  const filters = parts.filter((part) => part !== undefined);
  const [first] = filters;
  if (first === undefined) return {};
  return { filter: filters.length === 1 ? first : Object.freeze({ type: 'and', filters: Object.freeze(filters) }) };
}
