import { fork, type ChildProcess } from 'node:child_process';
import type { AgentStore } from '../../../lib/approvals/ledger/index.js';
import { runRaces, type RaceTally } from './race-referee.js';
import { carryOut, type RaceOrder, type RaceReport } from './race-kinds.js';

const FIVE_MINUTES_MS = 300_000;

/**
 * The whole of a file that `runCompiled` runs: it starts itself twice more, referees the races of these two processes, and
 * prints the tallies. The clock of one of the two is five minutes fast, that of the other five minutes slow.
 *
 * @param file the path of the file that calls this
 */
export async function raceProcess(
  file: string,
  openStore: () => Promise<{ store: AgentStore; close(): Promise<void> }>,
): Promise<void> {
  const role = process.env['RACE_ROLE'];
  if (role !== undefined) shiftClock(role === 'fast' ? FIVE_MINUTES_MS : -FIVE_MINUTES_MS);
  const { store, close } = await openStore();
  if (role !== undefined) return serve(store, close);
  const racers = (['fast', 'slow'] as const).map(
    (each) => new Racer(fork(file, { env: { ...process.env, RACE_ROLE: each } })),
  );
  try {
    const tallies: RaceTally[] = await runRaces(store, racers, Number(process.env['RACE_RUNS']));
    process.stdout.write(JSON.stringify(tallies));
  } finally {
    for (const racer of racers) racer.stop();
    await close();
  }
}

/** The other end of one of the two processes. */
export class Racer {
  private readonly waiting = new Map<number, (report: RaceReport) => void>();

  constructor(private readonly child: ChildProcess) {
    child.on('message', (report: RaceReport) => {
      this.waiting.get(report.id)?.(report);
      this.waiting.delete(report.id);
    });
    child.on('exit', (code) => {
      if (this.waiting.size > 0) throw new Error(`A racer ended with ${code} in the midst of a race.`);
    });
  }

  race(order: RaceOrder): Promise<RaceReport> {
    return new Promise((resolve) => {
      this.waiting.set(order.id, resolve);
      this.child.send(order);
    });
  }

  stop(): void {
    this.child.disconnect();
  }
}

function serve(store: AgentStore, close: () => Promise<void>): void {
  process.on('disconnect', () => void close());
  process.on('message', (order: RaceOrder) => {
    carryOut(store, order)
      .catch((error: unknown): RaceReport => {
        return { id: order.id, decision: undefined, withdrawn: [], hasClaimed: false, error: String(error) };
      })
      .then((report) => process.send?.(report));
  });
}

function shiftClock(offsetMs: number): void {
  const real = Date.now;
  Date.now = () => real() + offsetMs;
}
