import type { OffsetPaging } from '../ast.js';
import type { ParseContext } from './parse-context.js';

export interface SizeBounds {
  readonly maxSize: number;
  readonly defaultSize: number;
}

/** Parses `page` and `size`. What is out of range is refused: never clamped, never "all rows". */
export function parsePaging(page: unknown, size: unknown, bounds: SizeBounds, context: ParseContext): OffsetPaging {
  const checkedPage = boundedInteger(page ?? undefinedTo(page, 1), context.limits.maxPage, '/page', context);
  const checkedSize = parseSize(size, bounds, context);
  return Object.freeze({
    kind: 'offset',
    page: checkedPage,
    size: checkedSize,
    offset: (checkedPage - 1) * checkedSize,
  });
}

export function parseSize(size: unknown, { maxSize, defaultSize }: SizeBounds, context: ParseContext): number {
  return boundedInteger(size ?? undefinedTo(size, defaultSize), maxSize, '/size', context);
}

/** A default stands in for what is absent, not for null. */
function undefinedTo(value: unknown, fallback: number): unknown {
  return value === undefined ? fallback : value;
}

function boundedInteger(value: unknown, maximum: number, pointer: string, context: ParseContext): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= maximum) return value;
  context.refuse('page_invalid', pointer, { allowed: [1, maximum] });
  return 1;
}
