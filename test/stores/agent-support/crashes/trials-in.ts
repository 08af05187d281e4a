import { afterAll, beforeAll } from '@jest/globals';
import type { CrashSetup, CrashTrials } from './crash-trials.js';

/** What one store's processes are tried with, and what closes the place that they leave things in. */
export interface OpenedTrials {
  readonly setup: CrashSetup;
  close(): Promise<void>;
}

/** Tries the processes once, before the tests of the block; yields what was found, for the tests to read. */
export function trialsIn(
  open: () => Promise<OpenedTrials>,
  attempt: (setup: CrashSetup) => Promise<CrashTrials>,
): () => CrashTrials {
  let opened: OpenedTrials | undefined;
  let found: CrashTrials | undefined;
  beforeAll(async () => {
    opened = await open();
    found = await attempt(opened.setup);
  }, 240_000);
  afterAll(() => opened?.close());
  return () => {
    if (found === undefined) throw new Error('nothing was tried');
    return found;
  };
}
