import { AsyncLocalStorage } from 'node:async_hooks';

const DECLARED = new AsyncLocalStorage<true>();

/** Opens connections as a declared egress service does: a guard of the process lets them pass. */
export function asDeclaredEgress<Result>(open: () => Result): Result {
  return DECLARED.run(true, open);
}

/** Whether what runs now was begun by a declared egress service. */
export function isDeclaredEgress(): boolean {
  return DECLARED.getStore() === true;
}
