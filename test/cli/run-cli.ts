import { join } from 'node:path';
import { run } from '../../lib/cli/run.js';

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const FIXTURES = join(import.meta.dirname, 'fixture');

/** Runs one command line in this process; `@name` stands for the fixture `name.application.ts`. */
export async function runCli(argv: readonly string[], cwd: string = FIXTURES): Promise<CliResult> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await run(
    argv.map((each) => each.replace(/^@(\w+)/, `${FIXTURES}/$1.application.ts`)),
    {
      cwd,
      stdout: (text) => void (written.stdout += text),
      stderr: (text) => void (written.stderr += text),
    },
  );
  return { exitCode, ...written };
}
