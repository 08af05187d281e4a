import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measure, round, type BenchRow } from './measure.js';

const run = promisify(execFile);

/**
 * 500 DTO classes to schemas in one boot, time and heap, against validating one object of each class with class-validator:
 * what an application does anyway when its first requests come in.
 */
export async function* schema(): AsyncGenerator<BenchRow> {
  const heaps: number[] = [];
  const once = async (what: 'schemas' | 'validation'): Promise<number> => {
    const program = fileURLToPath(new URL('./schema-once.js', import.meta.url));
    const { stdout } = await run(process.execPath, ['--expose-gc', program, what]);
    const { milliseconds, heap } = JSON.parse(stdout) as { milliseconds: number; heap: number };
    if (what === 'schemas') heaps.push(heap);
    return milliseconds;
  };
  yield await measure({
    bench: 'schema',
    row: '500 classes to schemas against one validation each',
    unit: 'ms',
    maxRatio: 3,
    rounds: 7,
    ours: () => once('schemas'),
    other: () => once('validation'),
  });
  const heap = heaps.sort((a, b) => a - b)[Math.floor(heaps.length / 2)] as number;
  yield {
    bench: 'schema',
    row: 'heap that the schemas of 500 classes hold',
    ours: round(heap),
    other: 0,
    unit: 'MB',
    ratio: 0,
    goal: 'at most 10 MB',
    met: heap <= 10,
  };
}
