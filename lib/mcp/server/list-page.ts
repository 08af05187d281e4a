import { protocolRefusal } from './protocol-refusal.js';

/**
 * One page of a list. The cursor says how many entries came before, in the list as this caller sees it, and so tells nothing
 * of entries that it does not see.
 * @throws ProtocolError -32602, `mcp_cursor_invalid`
 */
export function listPage<Entry>(
  entries: readonly Entry[],
  cursor: string | undefined,
  pageSize: number,
): { readonly page: readonly Entry[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : positionOf(cursor);
  if (start > entries.length) throw protocolRefusal('mcp_cursor_invalid');
  const end = start + pageSize;
  return { page: entries.slice(start, end), ...(end < entries.length && { nextCursor: cursorOf(end) }) };
}

function cursorOf(position: number): string {
  return Buffer.from(`after:${position}`).toString('base64url');
}

function positionOf(cursor: string): number {
  const [, digits] = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (digits === undefined) throw protocolRefusal('mcp_cursor_invalid');
  return Number(digits);
}
