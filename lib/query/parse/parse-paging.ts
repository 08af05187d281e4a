import type { OffsetPaging } from '../ast.js';
import type { ParseContext } from './parse-context.js';

/** Parses `page` and `size`. What is out of range is refused: never clamped, never "all rows". */
export function parsePaging(
  page: unknown,
  size: unknown,
  { maxSize, defaultSize }: { readonly maxSize: number; readonly defaultSize: number },
  context: ParseContext,
): OffsetPaging {
  const checkedPage = boundedInteger(page ?? undefinedTo(page, 1), context.limits.maxPage, '/page', context);
  const checkedSize = boundedInteger(size ?? undefinedTo(size, defaultSize), maxSize, '/size', context);
  return Object.freeze({
    kind: 'offset',
    page: checkedPage,
    size: checkedSize,
    offset: (checkedPage - 1) * checkedSize,
  });
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
