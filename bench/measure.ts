/** One line of a benchmark's result: what we take against what the user would do instead, measured in turns. */
export interface BenchRow {
  readonly bench: string;
  readonly row: string;
  readonly ours: number;
  readonly other: number;
  readonly unit: string;
  /** ours / other */
  readonly ratio: number;
  /** What is asked for, in words. */
  readonly goal: string;
  readonly met: boolean;
}

export interface Contest {
  readonly bench: string;
  readonly row: string;
  readonly unit: string;
  /** The ratio that is still good enough. */
  readonly maxRatio: number;
  readonly rounds: number;
  /** Each gives one figure in `unit`; they are called in turns, and the median of each is told. */
  readonly ours: () => Promise<number>;
  readonly other: () => Promise<number>;
}

const WARM_UP_ROUNDS = 3;

/** Measures two ways of doing one thing in turns, after rounds that do not count: both are compiled by then. */
export async function measure(contest: Contest): Promise<BenchRow> {
  const ours: number[] = [];
  const other: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    await contest.ours();
    await contest.other();
  }
  for (let round = 0; round < contest.rounds; round++) {
    ours.push(await contest.ours());
    other.push(await contest.other());
  }
  const ratios = ours.map((figure, round) => figure / (other[round] as number));
  const ratio = median(ratios);
  return {
    bench: contest.bench,
    row: contest.row,
    ours: round(median(ours)),
    other: round(median(other)),
    unit: contest.unit,
    ratio: round(ratio),
    goal: `at most ${contest.maxRatio}`,
    met: ratio <= contest.maxRatio,
  };
}

/** Microseconds that one call takes, over many calls one after the other. */
export async function microsecondsPerCall(calls: number, call: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  for (let index = 0; index < calls; index++) await call();
  return Number(process.hrtime.bigint() - start) / 1_000 / calls;
}

/** A row about the heap: what it holds now, against what it held before. */
export function heapRow(bench: string, row: string, after: number, before: number): BenchRow {
  return {
    bench,
    row,
    ours: round(after),
    other: round(before),
    unit: 'MB',
    ratio: round(after / before),
    goal: 'within 10 MB',
    met: after - before <= 10,
  };
}

/** Heap in use after a full collection, in megabytes. Needs `--expose-gc`. */
export async function heapMegabytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1_048_576;
}

export function round(figure: number): number {
  return Number(figure.toPrecision(4));
}

function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
