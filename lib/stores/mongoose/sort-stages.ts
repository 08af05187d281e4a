import type { QueryField, SortKey } from '../../query/index.js';
import { valueOf } from './condition-expression.js';
import type { Document } from './mongoose-model.js';
import type { FieldResolver } from './stored-field.js';

/** Column names that no document of an application has. */
const RANK = '__nestjsPaletteRank';

export interface SortStages {
  readonly stages: Document[];
  /** Columns that were added to sort by, and are no part of the answer. */
  readonly columns: readonly string[];
}

/**
 * Sorts, nulls where each key says. MongoDB sorts null and absent before everything, which is what is asked for
 * mostly; only other places need a column of their own, past any index.
 */
export function sortStages<Field extends QueryField>(
  sorts: readonly SortKey<Field>[],
  resolve: FieldResolver<Field>,
): SortStages {
  const ranks: Document = {};
  const order: Record<string, 1 | -1> = {};
  sorts.forEach(({ field, direction, nulls }, index) => {
    const { path } = resolve(field);
    // A path that was sorted by is equal in whatever is left to sort.
    if (Object.hasOwn(order, path)) return;
    if ((direction === 'asc') !== (nulls === 'first')) {
      const rank = `${RANK}${index}`;
      ranks[rank] = { $cond: [{ $eq: [valueOf(path), null] }, nulls === 'first' ? 0 : 1, nulls === 'first' ? 1 : 0] };
      order[rank] = 1;
    }
    order[path] = direction === 'asc' ? 1 : -1;
  });
  const columns = Object.keys(ranks);
  const added = columns.length === 0 ? [] : [{ $addFields: ranks }];
  return { stages: sorts.length === 0 ? [] : [...added, { $sort: order }], columns };
}
