import { readFile } from 'node:fs/promises';
import { isPlainObject } from '../../common/index.js';
import { CommandError } from '../command-error.js';
import { LOCKFILE_VERSION, type PaletteLock } from './palette-lock.js';

/**
 * The lock in a file; undefined where there is no file.
 *
 * @throws CommandError where the file is not a lock of this version
 */
export async function readLock(file: string): Promise<PaletteLock | undefined> {
  const text = await textOf(file);
  if (text === undefined) return undefined;
  const lock = parsed(text, file);
  if (!isPlainObject(lock))
    throw new CommandError(`${file} is not a lockfile. Write it anew with \`nestjs-palette lock\`.`);
  if (lock['lockfileVersion'] !== LOCKFILE_VERSION) {
    throw new CommandError(
      `${file} has lockfileVersion ${JSON.stringify(lock['lockfileVersion']) ?? 'none'}; this nestjs-palette reads ${LOCKFILE_VERSION}. ` +
        'Use the version that wrote it, or write it anew.',
    );
  }
  if (!isLock(lock)) throw new CommandError(`${file} is damaged. Write it anew with \`nestjs-palette lock\`.`);
  return lock;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandError(
      `${file} is not JSON: a merge conflict, perhaps. Write it anew with \`nestjs-palette lock\`.`,
    );
  }
}

function isLock(lock: unknown): lock is PaletteLock {
  const { operations, palettes, egress } = lock as Record<string, unknown>;
  return (
    isRecordOf(operations, []) &&
    isRecordOf(palettes, ['tools']) &&
    Object.values(palettes).every(
      ({ tools }) => isRecordOf(tools, ['annotations', 'arguments']) && havePolicies(tools),
    ) &&
    isRecordOf(egress, ['operations'])
  );
}

function havePolicies(tools: Record<string, Record<string, unknown>>): boolean {
  return Object.values(tools).every(({ policy }) => policy === undefined || isPolicy(policy));
}

function isPolicy(policy: unknown): boolean {
  if (!isRecordOf({ policy }, ['filterable', 'aggregatable'])) return false;
  const { sortable, returnable, filterable, aggregatable } = policy as Record<string, unknown>;
  const uses = [filterable, aggregatable].flatMap((each) => Object.values(each as object) as unknown[]);
  return [sortable, returnable, ...uses].every((list) => Array.isArray(list));
}

/** An object of objects, each of which has an object under every one of the keys. */
function isRecordOf(value: unknown, keys: readonly string[]): value is Record<string, Record<string, unknown>> {
  return (
    isPlainObject(value) &&
    Object.values(value).every((each) => isPlainObject(each) && keys.every((key) => isPlainObject(each[key])))
  );
}
