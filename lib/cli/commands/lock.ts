import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApplicationSurface } from '../application/application-surface.js';
import { CommandError, EXIT_CODES, type ExitCode } from '../command-error.js';
import type { CommandIo } from '../command-io.js';
import type { LockCommand } from '../command-line.js';
import { compareLocks } from '../lock/compare-locks.js';
import { lockOf, lockText } from '../lock/lock-of.js';
import type { PaletteLock } from '../lock/palette-lock.js';
import { readLock } from '../lock/read-lock.js';
import { renderDiff } from '../lock/render-diff.js';

/**
 * Writes the lockfile, and tells what changed by it.
 *
 * @throws CommandError where the file cannot be written
 */
export async function writeLock(surface: ApplicationSurface, command: LockCommand, io: CommandIo): Promise<ExitCode> {
  const lock = lockOf(surface);
  const path = resolve(io.cwd, command.file);
  const before = await readLock(path).catch(() => undefined);
  await write(path, lockText(lock));
  const changes = before === undefined ? [] : compareLocks(before, lock);
  io.stdout(`${command.file}: ${summary(lock)}\n${changes.length > 0 ? `\n${renderDiff(changes)}` : ''}`);
  return EXIT_CODES.ok;
}

/**
 * Compares the application with the lockfile.
 *
 * @throws CommandError where there is no lockfile, or none that can be read
 */
export async function checkLock(surface: ApplicationSurface, command: LockCommand, io: CommandIo): Promise<ExitCode> {
  const before = await readLock(resolve(io.cwd, command.file));
  const write = `npx nestjs-palette lock ${command.module}${command.file === 'palette.lock.json' ? '' : ` --file ${command.file}`}`;
  if (before === undefined) throw new CommandError(`There is no ${command.file}. Write it: ${write}`);
  const lock = lockOf(surface);
  const changes = compareLocks(before, lock);
  const isEqual = changes.length === 0;
  if (command.json) io.stdout(`${JSON.stringify({ isEqual, changes }, null, 2)}\n`);
  else if (isEqual) io.stdout(`${command.file} matches the application: ${summary(lock)}\n`);
  else {
    io.stdout(
      `${command.file} does not match the application.\n\n${renderDiff(changes)}\nWhere this is meant, write it anew: ${write}\n`,
    );
  }
  return isEqual ? EXIT_CODES.ok : EXIT_CODES.different;
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function summary({ operations, palettes, egress }: PaletteLock): string {
  const tools = Object.values(palettes).reduce((sum, palette) => sum + Object.keys(palette.tools).length, 0);
  const counts = [
    [Object.keys(operations).length, 'operation'],
    [Object.keys(palettes).length, 'palette'],
    [tools, 'tool'],
    [Object.keys(egress).length, 'egress service'],
  ] as const;
  return counts.map(([number, what]) => `${number} ${what}${number === 1 ? '' : 's'}`).join(', ');
}
