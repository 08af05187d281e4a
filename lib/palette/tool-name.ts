import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * The name that a model calls an operation by: `notes.list` -> `notes__list`. It fits `^[a-zA-Z0-9_-]{1,64}$`, which every
 * provider takes, and depends on nothing but the operation's own name, so that it is the same after a restart and
 * after another controller was added.
 */
export function toolName(operationName: string): string {
  const name = operationName.replaceAll('.', '__').replace(/[^a-zA-Z0-9_-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(operationName).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
