import { appendFileSync } from 'node:fs';
import type { AgentStore } from 'nestjs-palette';

/** What a process does that another one may find done, or not: it may die after each. */
export interface CrashPoints {
  /** Has been done. Does not return where the process is to die now. */
  pass(what: string): void;
}

export const NO_CRASH: CrashPoints = { pass: () => undefined };

/**
 * Kills this process, as `kill -9` does, or stops it for as long as nobody lets it go on, right after its n-th point.
 * @param log a file that the points are written to, one a line
 */
export class DeadlyPoints implements CrashPoints {
  private count = 0;

  constructor(
    private readonly deadlyAt: number,
    private readonly signal: 'SIGKILL' | 'SIGSTOP',
    private readonly log: string,
  ) {}

  pass(what: string): void {
    this.count += 1;
    appendFileSync(this.log, `${what}\n`);
    if (this.count !== this.deadlyAt) return;
    process.kill(process.pid, this.signal);
    // Nothing runs any more.
    while (this.signal === 'SIGKILL');
  }
}

/** Whatever changes what is stored, but for what a timer does. */
const WRITES: ReadonlySet<string> = new Set<keyof AgentStore>([
  'open',
  'append',
  'claimRun',
  'releaseRun',
  'propose',
  'claimCall',
  'settleCall',
  'abandonCalls',
  'decide',
  'withdraw',
  'transaction',
]);

type Method = (...args: unknown[]) => Promise<unknown>;

/** The store, each of whose writes is a point once it is committed. */
export function deadlyStore(store: AgentStore, points: CrashPoints): AgentStore {
  return new Proxy(store, {
    get(target, name: keyof AgentStore & string): unknown {
      const own: unknown = target[name];
      if (typeof own !== 'function') return own;
      const method = own.bind(target) as Method;
      if (!WRITES.has(name)) return method;
      return async (...args: unknown[]) => {
        const value = await method(...args);
        points.pass(name);
        return value;
      };
    },
  });
}
