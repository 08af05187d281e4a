import { readFileSync } from 'node:fs';
import { PaletteBootError } from '../common/index.js';
import { readSurface } from './application/application-surface.js';
import { loadApplication } from './application/load-application.js';
import { withApplication } from './application/open-application.js';
import { CommandError, EXIT_CODES, type ExitCode } from './command-error.js';
import type { CommandIo } from './command-io.js';
import { parseCommandLine, type Command } from './command-line.js';
import { inspect } from './commands/inspect.js';
import { checkLock, writeLock } from './commands/lock.js';
import { migrate } from './commands/migrate.js';
import { schema } from './commands/schema.js';
import { USAGE } from './usage.js';

/**
 * Runs one command line, without the program's name. It never throws: what goes wrong is told on stderr.
 *
 * @returns what the process should end with
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  try {
    return await runCommand(parseCommandLine(argv), io);
  } catch (error) {
    io.stderr(`${complaint(error)}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT_CODES.notBooted;
  }
}

async function runCommand(command: Command, io: CommandIo): Promise<ExitCode> {
  if (command.name === 'tell') return tell(command.what === 'usage' ? USAGE : `${packageVersion()}\n`, io);
  if (command.name === 'migrate') return tell(await migrate(command), io);
  const loaded = await loadApplication(command.module, io.cwd);
  const surface = await withApplication(loaded, command, io, readSurface);
  if (command.name === 'inspect') return tell(inspect(surface, command.json), io);
  if (command.name === 'schema') return tell(schema(surface, command), io);
  return command.check ? checkLock(surface, command, io) : writeLock(surface, command, io);
}

function tell(text: string, io: CommandIo): ExitCode {
  io.stdout(text);
  return EXIT_CODES.ok;
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}

/** Faults of the library are told as they are; of anything else the stack says where in the application it arose. */
function complaint(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (PaletteBootError.isInstance(error)) {
    const faults = error.faults.map(({ code, message }) => `  [${code}] ${message}`);
    return ['The application does not boot:', ...faults].join('\n');
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `The application does not boot:\n${told}`;
}
