import { expect, it } from '@jest/globals';
import { crashFaults } from './crash-faults.js';
import type { CrashTrials } from './crash-trials.js';

/** What holds of processes that died after each of their writes and effects, and of the one that went on. */
export function itSurvivesCrashes(found: () => CrashTrials, hasTransactions: boolean): void {
  it('dies after each write, of each kind, and after each effect', () => {
    const { trials } = found();
    const [whole, ...dead] = trials;
    expect(whole?.hasDied).toBe(false);
    expect(dead.map(({ hasDied }) => hasDied)).toEqual(whole?.points.map(() => true));
    expect(dead.map(({ points }) => points)).toEqual(whole?.points.map((_, index) => whole.points.slice(0, index + 1)));
    const kinds = [
      'open',
      'claimRun',
      'append',
      'propose',
      'abandonCalls',
      'claimCall',
      'settleCall',
      'decide',
      'releaseRun',
    ];
    const effects = ['look', 'note', 'pay', 'set', 'book'].map((what) => `did ${what}`);
    const expected = [...kinds, ...effects, ...(hasTransactions ? ['transaction'] : [])];
    expect([...new Set(whole?.points)].sort()).toEqual(expected.sort());
  });

  it('leaves what another process brings to its end, with nothing lost and nothing done twice', async () => {
    const { trials, app } = found();
    const { store } = app.approvals;
    const faults: string[] = [];
    for (const trial of trials) faults.push(...(await crashFaults(trial, store, app)));
    expect(faults).toEqual([]);
  });

  it('dies with calls that happened and with calls that did not, which nobody can tell from one another', () => {
    const { trials } = found();
    expect(new Set(unknownCalls(trials).map(({ hasHappened }) => hasHappened))).toEqual(new Set([true, false]));
    expect(ranTwice(trials, 'set').length).toBeGreaterThan(0);
    // What was begun in a transaction that died with its process is not there.
    expect(ranTwice(trials, 'book').map(({ booked }) => booked)).toEqual(hasTransactions ? [1, 1] : []);
  });
}

/** What holds of processes that were stopped after each of their writes and effects, and went on when another one had. */
export function itSurvivesStops(found: () => CrashTrials, hasTransactions: boolean): void {
  it('loses nothing and does nothing twice, whoever else has gone on with its run', async () => {
    const { trials, app } = found();
    const { store } = app.approvals;
    const faults: string[] = [];
    for (const trial of trials) faults.push(...(await crashFaults(trial, store, app)));
    expect(faults).toEqual([]);
    const stopped = trials.filter(({ hasDied }) => hasDied).length;
    expect(stopped).toBeGreaterThan(trials.length * 0.8);
  });

  it('had its calls given up meanwhile, and did them all the same, once', () => {
    const { trials } = found();
    // Who is told that it may or may not have happened is told the truth: it had not, and then it did.
    expect(new Set(unknownCalls(trials).map(({ hasHappened }) => hasHappened))).toEqual(new Set([true]));
    expect(ranTwice(trials, 'set').length).toBeGreaterThan(0);
    if (hasTransactions) expect(ranTwice(trials, 'book').map(({ booked }) => booked)).toContain(1);
  });
}

interface UnknownCall {
  readonly toolName: string;
  readonly hasHappened: boolean;
}

function unknownCalls(trials: CrashTrials['trials']): UnknownCall[] {
  return trials.flatMap(({ after, effects }) =>
    after.calls
      .filter(({ state }) => state === 'unknown')
      .map(({ toolName }) => ({ toolName, hasHappened: effects.some(({ what }) => toolName.endsWith(what)) })),
  );
}

function ranTwice(trials: CrashTrials['trials'], name: string): CrashTrials['trials'] {
  return trials.filter(({ effects }) => effects.filter(({ what }) => what === name).length === 2);
}
