import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentStore, CallRecord, JournalEntry } from 'nestjs-palette';
import { closeApplications, type Platform } from '../../../support/application.js';
import { compileAll } from '../../../support/run-compiled.js';
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

type Dead = Pick<Trial, 'conversation' | 'points' | 'hasDied' | 'before'>;

/** As many processes as a conversation has points, each of which dies after another one; then one that finds what they left. */
export async function crashTrials(setup: CrashSetup): Promise<CrashTrials> {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'));
  const effects = join(folder, 'effects');
  writeFileSync(effects, '');
  try {
    const dead = await deadProcesses(setup, folder, effects);
    const { platform, place } = setup;
    const app = await bootCrashApp(platform, {
      place,
      store: place.store,
      points: NO_CRASH,
      effects,
      agents: { resolvePrincipal: () => ({ headers: { 'x-user': 'ann' } }), sweepIntervalMs: 50, sweepConcurrency: 8 },
    });
    for (const each of dead) await goOn(app, place.store, each);
    const trials: Trial[] = [];
    for (const each of dead) trials.push(await ended(each, place, effectsOf(effects, each.conversation)));
    return { trials, app };
  } finally {
    await closeApplications();
    rmSync(folder, { recursive: true });
  }
}

async function deadProcesses(setup: CrashSetup, folder: string, effects: string): Promise<Dead[]> {
  const compiled = compileAll(setup.file, setup.parts);
  const run = async (deadlyAt: number): Promise<Dead> => {
    const conversation = `c-${deadlyAt}`;
    const points = join(folder, conversation);
    writeFileSync(points, '');
    const order: CrashOrder = { conversation, deadlyAt, effects, points };
    const { signal } = await compiled.run({ ...setup.env, CRASH_ORDER: JSON.stringify(order) });
    const before = await keptOf(setup.place.store, conversation);
    const passed = readFileSync(points, 'utf8').split('\n').slice(0, -1);
    return { conversation, points: passed, hasDied: signal === 'SIGKILL', before };
  };
  try {
    const whole = await run(0);
    const dead: Dead[] = [];
    let next = 1;
    const lane = async (): Promise<void> => {
      while (next <= whole.points.length) dead.push(await run(next++));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return [whole, ...dead.sort((one, other) => one.points.length - other.points.length)];
  } finally {
    compiled.remove();
  }
}

async function keptOf(store: AgentStore, conversation: string): Promise<Kept> {
  if ((await store.find(conversation)) === undefined) return { entries: [], calls: [] };
  return { entries: await store.read(conversation), calls: await store.calls(conversation) };
}

/** What people do afterwards: they decide what waits, and ask again what nobody ever heard. */
async function goOn(app: CrashApp, store: AgentStore, { conversation, before }: Dead): Promise<void> {
  if (before.entries.length === 0) await say(app, conversation, conversation);
  for (const end = Date.now() + PATIENCE_MS; ;) {
    await approveAll(app, conversation);
    if ((await store.find(conversation))?.openRunId === undefined) return;
    if (Date.now() > end) throw new Error(`The run of ${conversation} is not over.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function ended(dead: Dead, { store, booked }: CrashPlace, effects: readonly Effect[]): Promise<Trial> {
  const { conversation } = dead;
  return { ...dead, effects, booked: await booked(conversation), after: await keptOf(store, conversation) };
}

function effectsOf(file: string, conversation: string): Effect[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Effect).filter((effect) => effect.conversation === conversation);
}
