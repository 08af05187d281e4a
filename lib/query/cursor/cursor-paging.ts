import { PaletteError } from '../../common/index.js';
import { reverseSortKey, type CursorPaging, type FilterNode, type SortKey } from '../ast.js';
import type { ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { cursorBinding } from './cursor-binding.js';
import { MAX_CURSOR_LENGTH, cursorCodec } from './cursor-codec.js';
import { seekFilter } from './seek-filter.js';
import { keysOf, parseKeys } from './sort-key-values.js';

/** Thrown where a row's place cannot be told in a cursor. */
export class QueryCursorError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:QueryCursorError');
}

/** The list that is paged through. */
export interface CursorList {
  readonly policy: ResolvedQueryPolicy;
  readonly filter: FilterNode | undefined;
  /** Total: the tie-breaker last. */
  readonly sorts: readonly SortKey[];
  readonly secret: string | undefined;
}

export interface RequestedPage {
  readonly size: number;
  /** The token that was sent, and what it was sent as; neither on the first page. */
  readonly cursor?: { readonly token: string; readonly direction: CursorPaging['direction'] };
}

/** The paging of one page of a list; undefined where the token is not one of that list. */
export function cursorPaging(list: CursorList, { size, cursor }: RequestedPage): CursorPaging | undefined {
  const { policy, filter, sorts, secret } = list;
  const codec = cursorCodec(cursorBinding(policy, filter, sorts), secret);
  const cursorOf = (row: object) => {
    const body = JSON.stringify(keysOf(row, sorts));
    const token = codec.seal(body);
    // A cursor that would not be taken back is none.
    if (token.length <= MAX_CURSOR_LENGTH && parseKeys(body, sorts) !== undefined) return token;
    const fields = sorts.map(({ field }) => field.name).join(', ');
    throw new QueryCursorError('query_cursor_unfit', { parameters: { readModel: policy.readModel.name, fields } });
  };
  const direction = cursor?.direction ?? 'forward';
  const readSorts = direction === 'forward' ? sorts : Object.freeze(sorts.map(reverseSortKey));
  if (cursor === undefined) return Object.freeze({ kind: 'cursor', size, direction, readSorts, cursorOf });
  const body = cursor.token.length <= MAX_CURSOR_LENGTH ? codec.open(cursor.token) : undefined;
  const values = body === undefined ? undefined : parseKeys(body, sorts);
  if (values === undefined) return undefined;
  const seek = seekFilter(readSorts, values);
  return Object.freeze({ kind: 'cursor', size, direction, seek, readSorts, cursorOf });
}
