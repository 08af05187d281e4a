import { exceedsJsonSize } from './json-size.js';
import type { ParseContext } from './parse-context.js';

/** @throws QueryError at once where a request is too large to look at */
export function refuseTooLarge(raw: unknown, context: ParseContext): void {
  const { maxRequestBytes } = context.limits;
  if (!exceedsJsonSize(raw, maxRequestBytes)) return;
  context.refuse('filter_shape_invalid', '', { allowed: [`at most ${maxRequestBytes} bytes of JSON`] });
  context.throwIfRefused();
}
