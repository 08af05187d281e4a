import type { AgentStore } from 'nestjs-palette';
import type { CrashApp } from './crash-app.js';
import { approveAll } from './crash-process.js';
import {
  atDesk,
  bootSurvivor,
  eachPoint,
  ended,
  goOn,
  keptOf,
  ordered,
  type CrashDesk,
  type CrashSetup,
  type CrashTrials,
  type Left,
} from './crash-trials.js';

/** Longer than a lease, and than another process takes to go on with a run. */
const STOPPED_MS = 12_000;
const PAUSE_MS = 20;

/**
 * As `crashTrials`, with processes that are stopped, lose their claims to another one meanwhile, and then go on as if nothing had
 * been. What is locked in a transaction stays locked meanwhile: nobody can go on before they do.
 */
export function stopTrials(setup: CrashSetup): Promise<CrashTrials> {
  return atDesk(setup, async (desk) => {
    const app = await bootSurvivor(desk);
    const left = await eachPoint((stopAt) => stopped(desk, app, stopAt));
    return { app, trials: await Promise.all(left.map((each) => ended(desk, each))) };
  });
}

async function stopped(desk: CrashDesk, app: CrashApp, stopAt: number): Promise<Left> {
  const { store } = desk.setup.place;
  const { conversation, env, passed } = ordered(desk, stopAt, 'SIGSTOP');
  const { pid, ended: end } = desk.compiled.start(env);
  let hasEnded = false;
  const watched = end.finally(() => (hasEnded = true));
  while (!hasEnded && (stopAt === 0 || passed().length < stopAt)) await pause();
  const hasStopped = !hasEnded;
  const [before, points] = [await keptOf(store, conversation), passed()];
  if (hasStopped && pid !== undefined) {
    await untilOver(app, store, conversation);
    process.kill(pid, 'SIGCONT');
  }
  await watched;
  await goOn(app, store, conversation);
  return { conversation, points, hasDied: hasStopped, before };
}

/** Until another process has brought to its end what there is, with the decisions of people. */
async function untilOver(app: CrashApp, store: AgentStore, conversation: string): Promise<void> {
  let deciding: Promise<void> | undefined;
  for (const end = Date.now() + STOPPED_MS; Date.now() < end; await pause()) {
    if ((await store.find(conversation))?.openRunId === undefined) break;
    // Not waited for: the conversation may be locked.
    deciding ??= approveAll(app, conversation).finally(() => (deciding = undefined));
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
