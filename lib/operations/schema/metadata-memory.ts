import type { Type } from '@nestjs/common';

let remembered: Map<string, Map<Type<unknown>, unknown>> | undefined;

/**
 * Remembers what is read of classes while `read` runs, and not longer: decorators may add to a class at any time, but not
 * in the middle of one synchronous reading. class-validator looks through all classes for each one that it is asked about.
 */
export function whileRemembering<T>(read: () => T): T {
  if (remembered !== undefined) return read();
  remembered = new Map();
  try {
    return read();
  } finally {
    remembered = undefined;
  }
}

/** What `make` yields for a class; within `whileRemembering`, made once. */
export function ofClass<T>(what: string, type: Type<unknown>, make: () => T): T {
  if (remembered === undefined) return make();
  const known = remembered.get(what) ?? new Map<Type<unknown>, unknown>();
  remembered.set(what, known);
  if (!known.has(type)) known.set(type, make());
  return known.get(type) as T;
}
