import type { Principal } from '../../../common/index.js';
import type { Row } from './database-types.js';

/** U+0000 and half surrogate pairs, which no text column holds; U+001B, which stands for them and is in no JSON text. */
const ESCAPED = /[\u0000\u001b\p{Surrogate}]/gu;

/** Any text, as a text column can hold it. Different texts stay different, and nearly all stay as they are. */
export function toColumn(text: string): string {
  return text.replace(ESCAPED, (character) => `\u001b${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function fromColumn(column: string): string {
  return column.replace(/\u001b([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

export function textOf(row: Row, column: string): string {
  return fromColumn(row[column] as string);
}

export function optionalTextOf(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column);
}

/** Of integers of any size: what they are parsed to is the application's to choose. */
export function numberOf(row: Row, column: string): number {
  return Number(row[column]);
}

export function optionalNumberOf(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

export function jsonOf(row: Row, column: string): unknown {
  return JSON.parse(row[column] as string) as unknown;
}

export function principalOf(row: Row, column: string): Principal {
  return jsonOf(row, column) as Principal;
}
