import { isPlainObject } from '../../common/index.js';

/** The messages that a body holds: one, or those of a batch. What is no object is none. */
export function messagesIn(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (Array.isArray(body) ? (body as unknown[]) : [body]).filter(isPlainObject);
}
