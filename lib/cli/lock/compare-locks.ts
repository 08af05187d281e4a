import { compareAgents } from './compare-agents.js';
import { compareEgress } from './compare-egress.js';
import { compareOperations } from './compare-operations.js';
import type { PaletteLock } from './palette-lock.js';
import type { SurfaceChange } from './surface-change.js';

/** What is not the same any more; empty exactly where the locks are equal. */
export function compareLocks(before: PaletteLock, after: PaletteLock): readonly SurfaceChange[] {
  return [
    ...compareAgents(before, after),
    ...compareEgress(before.egress, after.egress),
    ...compareOperations(before, after),
  ];
}
