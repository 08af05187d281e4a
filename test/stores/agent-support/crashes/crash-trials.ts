import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentStore, CallRecord, JournalEntry } from 'nestjs-palette';
import { closeApplications, type Platform } from '../../../support/application.js';
import { compileAll, type Compiled } from '../../../support/run-compiled.js';
import { bootCrashApp, type CrashApp, type CrashPlace, type Effect } from './crash-app.js';
import { NO_CRASH } from './crash-points.js';
import { approveAll, say, type CrashOrder } from './crash-process.js';

/** Processes that run at once. */
const AT_ONCE = 3;
const PATIENCE_MS = 30_000;

/** What is stored of a conversation at one moment. */
export interface Kept {
  readonly entries: readonly JournalEntry[];
  readonly calls: readonly CallRecord[];
}

/** One process, and what became of its conversation. */
export interface Trial {
  readonly conversation: string;
  /** What the process did, in order: it died right after the last of them. */
  readonly points: readonly string[];
  readonly hasDied: boolean;
  /** At its death. */
  readonly before: Kept;
  /** When another process had gone on. */
  readonly after: Kept;
  readonly effects: readonly Effect[];
  readonly booked: number;
}

export interface CrashTrials {
  readonly trials: readonly Trial[];
  /** The process that went on. */
  readonly app: CrashApp;
}

export interface CrashSetup {
  /** What each process runs: a file of `test/` that calls `crashProcess`. */
  readonly file: string;
  readonly parts: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What the process that goes on is, and where everything is kept. */
  readonly platform: Platform;
  readonly place: CrashPlace;
}

/** What the processes of one test share. */
export interface CrashDesk {
  readonly setup: CrashSetup;
  readonly compiled: Compiled;
  /** Where each process writes its points. */
  readonly folder: string;
  /** The file that every handler writes to. */
  readonly effects: string;
}

export type Left = Pick<Trial, 'conversation' | 'points' | 'hasDied' | 'before'>;

/** As many processes as a conversation has points, each of which dies after another one; then one that finds what they left. */
export function crashTrials(setup: CrashSetup): Promise<CrashTrials> {
  return atDesk(setup, async (desk) => {
    const left = await eachPoint((deadlyAt) => killed(desk, deadlyAt));
    const app = await bootSurvivor(desk);
    for (const each of left) await goOn(app, setup.place.store, each.conversation);
    return { app, trials: await Promise.all(left.map((each) => ended(desk, each))) };
  });
}

export async function atDesk<T>(setup: CrashSetup, work: (desk: CrashDesk) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'));
  const effects = join(folder, 'effects');
  writeFileSync(effects, '');
  const compiled = compileAll(setup.file, setup.parts);
  try {
    return await work({ setup, compiled, folder, effects });
  } finally {
    await closeApplications();
    compiled.remove();
    rmSync(folder, { recursive: true });
  }
}

/** Tries a process that lives, to see how many points there are, and one for each of them; in that order. */
export async function eachPoint(attempt: (deadlyAt: number) => Promise<Left>): Promise<Left[]> {
  const whole = await attempt(0);
  const left = [whole];
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= whole.points.length) {
      const deadlyAt = next++;
      left[deadlyAt] = await attempt(deadlyAt);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return left;
}

/** The process that goes on with whatever it finds. */
export function bootSurvivor({ setup: { platform, place }, effects }: CrashDesk): Promise<CrashApp> {
  return bootCrashApp(platform, {
    place,
    store: place.store,
    points: NO_CRASH,
    effects,
    agents: { resolvePrincipal: () => ({ headers: { 'x-user': 'ann' } }), sweepIntervalMs: 50, sweepConcurrency: 8 },
  });
}

/** Tells a process what to do, with a file for its points. */
export function ordered({ setup, folder, effects }: CrashDesk, deadlyAt: number, signal: CrashOrder['signal']) {
  const conversation = `c-${deadlyAt}`;
  const file = join(folder, conversation);
  writeFileSync(file, '');
  const order: CrashOrder = { conversation, deadlyAt, signal, effects, points: file };
  return {
    conversation,
    env: { ...setup.env, CRASH_ORDER: JSON.stringify(order) },
    passed: () => readFileSync(file, 'utf8').split('\n').slice(0, -1),
  };
}

async function killed(desk: CrashDesk, deadlyAt: number): Promise<Left> {
  const { conversation, env, passed } = ordered(desk, deadlyAt, 'SIGKILL');
  const { signal } = await desk.compiled.run(env);
  const before = await keptOf(desk.setup.place.store, conversation);
  return { conversation, points: passed(), hasDied: signal === 'SIGKILL', before };
}

export async function keptOf(store: AgentStore, conversation: string): Promise<Kept> {
  if ((await store.find(conversation)) === undefined) return { entries: [], calls: [] };
  return { entries: await store.read(conversation), calls: await store.calls(conversation) };
}

/** What people do afterwards: they decide what waits, and ask again what nobody ever heard. */
export async function goOn(app: CrashApp, store: AgentStore, conversation: string): Promise<void> {
  if ((await keptOf(store, conversation)).entries.length === 0) await say(app, conversation, conversation);
  for (const end = Date.now() + PATIENCE_MS; ;) {
    await approveAll(app, conversation);
    if ((await store.find(conversation))?.openRunId === undefined) return;
    if (Date.now() > end) throw new Error(`The run of ${conversation} is not over.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function ended({ setup, effects }: CrashDesk, left: Left): Promise<Trial> {
  const { store, booked } = setup.place;
  const lines = readFileSync(effects, 'utf8').split('\n').slice(0, -1);
  const own = lines.map((line) => JSON.parse(line) as Effect).filter((each) => each.conversation === left.conversation);
  return {
    ...left,
    effects: own,
    booked: await booked(left.conversation),
    after: await keptOf(store, left.conversation),
  };
}
