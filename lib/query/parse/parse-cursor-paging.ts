import type { CursorPaging } from '../ast.js';
import {
  CURSOR_PATTERN,
  MAX_CURSOR_LENGTH,
  cursorPaging,
  type CursorList,
  type RequestedPage,
} from '../cursor/index.js';
import type { ParseContext } from './parse-context.js';

const DIRECTIONS = { after: 'forward', before: 'backward' } as const;

export const CURSOR_KEYS = ['after', 'before'] as const;

const TOKEN = new RegExp(CURSOR_PATTERN);
const EXPECTED = ['nextCursor or prevCursor of a page of the same filters and sorts'];

/**
 * Parses `after` and `before`. A token is judged by its look alone where the rest of the query was refused: then nobody
 * knows what it should hold for.
 */
export function parseCursorPaging(
  query: { readonly after?: unknown; readonly before?: unknown },
  size: number,
  list: CursorList,
  context: ParseContext,
): CursorPaging | undefined {
  const given = CURSOR_KEYS.filter((key) => query[key] !== undefined);
  const [key] = given;
  if (given.length > 1) return context.refuse('cursor_invalid', '/before', { allowed: ['one of after, before'] });
  if (key === undefined) return context.isRefused ? undefined : cursorPaging(list, { size });
  const token = query[key];
  if (!isToken(token)) return context.refuse('cursor_invalid', `/${key}`, { allowed: EXPECTED });
  if (context.isRefused) return undefined;
  const page: RequestedPage = { size, cursor: { token, direction: DIRECTIONS[key] } };
  return cursorPaging(list, page) ?? context.refuse('cursor_invalid', `/${key}`, { allowed: EXPECTED });
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CURSOR_LENGTH && TOKEN.test(value);
}
