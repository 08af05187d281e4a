import { expect } from '@jest/globals';
import type { RaceTally } from './race-referee.js';

/** Runs of each race: 1,000 where `CI` is `true`, as many as `DIFFERENTIAL_RUNS` says, a tenth otherwise. */
export const RACE_RUNS = Number(process.env['DIFFERENTIAL_RUNS'] ?? (process.env['CI'] === 'true' ? 1000 : 100));

/** One decision and at most one execution in every run; and races that were races: either side has won some. */
export function expectFair(tallies: readonly RaceTally[]): void {
  expect(tallies.map(({ race, runs, violations }) => ({ race, runs, violations }))).toEqual(
    ['approve/approve', 'approve/deny', 'approve/expire', 'approve/cancel', 'approve/supersede'].map((race) => ({
      race,
      runs: RACE_RUNS,
      violations: [],
    })),
  );
  const [approve, deny, expire, cancel, supersede] = tallies.map(({ outcomes }) => Object.keys(outcomes).sort());
  expect(approve).toEqual(['approved']);
  expect(deny).toEqual(['approved', 'denied']);
  expect(expire).toEqual(['approved', 'expired']);
  expect(cancel).toEqual(['approved', 'cancelled']);
  expect(supersede).toEqual(['approved', 'superseded']);
  expect(tallies[0]).toMatchObject({ claims: RACE_RUNS, losers: RACE_RUNS });
}
