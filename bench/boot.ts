import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measure, type BenchRow } from './measure.js';

const run = promisify(execFile);

/** Boot of an application with 500 operations, against the same one without the module. A process boots once. */
export async function* boot(): AsyncGenerator<BenchRow> {
  yield await measure({
    bench: 'boot',
    row: '500 operations against none, to init',
    unit: 'ms',
    maxRatio: 1.5,
    rounds: 9,
    ours: () => bootMilliseconds('operations'),
    other: () => bootMilliseconds('plain'),
  });
}

async function bootMilliseconds(kind: 'operations' | 'plain'): Promise<number> {
  const program = fileURLToPath(new URL('./boot-once.js', import.meta.url));
  const { stdout } = await run(process.execPath, [program, kind]);
  return Number(stdout);
}
