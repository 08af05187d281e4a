import { CALL_CASES } from './call-cases.js';
import { CLAIM_CASES } from './claim-cases.js';
import type { ConformanceCase } from './conformance-case.js';
import { DECISION_CASES } from './decision-cases.js';
import { ENDING_CASES } from './ending-cases.js';
import { JOURNAL_CASES } from './journal-cases.js';
import { RACE_CASES } from './race-cases.js';
import { VALUE_CASES } from './value-cases.js';
import { WATCH_CASES } from './watch-cases.js';

/**
 * What every store of conversations and calls has to do, one case each. A driver runs all of them, in whatever runs its tests:
 *
 *     for (const { name, run } of storeConformance()) it(name, () => run(createStore));
 *
 * Cases want a store that is empty, so that they cannot share one at the same time.
 */
export function storeConformance(): readonly ConformanceCase[] {
  return [
    ...JOURNAL_CASES,
    ...CLAIM_CASES,
    ...WATCH_CASES,
    ...CALL_CASES,
    ...DECISION_CASES,
    ...ENDING_CASES,
    ...VALUE_CASES,
    ...RACE_CASES,
  ];
}
