import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { closeApplications } from '../../support/application.js';
import { eventually } from '../../support/eventually.js';
import { bootCrashApp, type CrashApp, type CrashPlace } from './crashes/crash-app.js';
import { NO_CRASH } from './crashes/crash-points.js';
import { approveAll, say } from './crashes/crash-process.js';

/** Longer than any test lasts: what happens before was pushed. */
const NEVER_MS = 60_000;
const PUSHED_WITHIN_MS = 1_000;
const INTERVAL_MS = 700;

/** What a decision on one replica does on another, each with connections of its own. */
export function itWakesReplicas(openPlace: (options: { readonly push: boolean }) => CrashPlace): void {
  let folder: string;
  let places: CrashPlace[];
  let count = 0;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wake-'));
    places = [];
    count += 1;
  });
  afterEach(async () => {
    await closeApplications();
    for (const place of places) await place.close();
    rmSync(folder, { recursive: true });
  });

  /** @param sweepIntervalMs undefined: it goes on with nothing by itself */
  const replica = (push: boolean, sweepIntervalMs?: number): Promise<CrashApp> => {
    const place = openPlace({ push });
    places.push(place);
    const resolvePrincipal = () => ({ headers: { 'x-user': 'ann' } });
    const agents = sweepIntervalMs === undefined ? {} : { resolvePrincipal, sweepIntervalMs };
    return bootCrashApp('express', {
      place,
      store: place.store,
      points: NO_CRASH,
      effects: join(folder, 'effects'),
      agents,
    });
  };
  /** Approves here: how long it takes until there the call has run and the model is asked again, in milliseconds. */
  const decided = async (here: CrashApp, there: CrashApp, conversation: string): Promise<number> => {
    const asked = there.model.requests.length;
    await approveAll(here, conversation);
    const since = Date.now();
    await eventually(() => expect(there.model.requests.length).toBeGreaterThan(asked));
    const tookMs = Date.now() - since;
    const { store } = here.approvals;
    await eventually(async () => expect((await store.find(conversation))?.openRunId).toBeUndefined());
    return tookMs;
  };

  it('wakes the run on another replica within a second, by push', async () => {
    const [here, there] = [await replica(true), await replica(true, NEVER_MS)];
    for (const each of [1, 2, 3]) {
      const conversation = `pushed-${count}-${each}`;
      await say(here, conversation, conversation);
      // What the question itself pushed has been looked at by then.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await decided(here, there, conversation)).toBeLessThan(PUSHED_WITHIN_MS);
    }
    expect(here.model.requests).toHaveLength(3);
  });

  it('is found on another replica within its interval, without a push', async () => {
    const [here, there] = [await replica(false), await replica(false, INTERVAL_MS)];
    const conversation = `found-${count}`;
    await say(here, conversation, conversation);
    expect(await decided(here, there, conversation)).toBeLessThan(INTERVAL_MS + PUSHED_WITHIN_MS);
  });

  it('is found by nobody who was told to look later, without a push', async () => {
    const [here, there] = [await replica(false), await replica(false, NEVER_MS)];
    const conversation = `later-${count}`;
    await say(here, conversation, conversation);
    await approveAll(here, conversation);
    await new Promise((resolve) => setTimeout(resolve, 2 * PUSHED_WITHIN_MS));
    expect((await here.approvals.store.find(conversation))?.openRunId).toBeDefined();
    expect(there.model.requests).toEqual([]);
  });
}
