import { isDeepStrictEqual } from 'node:util';
import type { PolicyLock } from './palette-lock.js';
import { sideBySide, type ChangeList } from './surface-change.js';

/** Changes of a query policy, field by field: what is wider counts as gained, what is narrower as lost. */
export function comparePolicy(before: PolicyLock | undefined, after: PolicyLock | undefined, list: ChangeList): void {
  if (before === undefined || after === undefined) {
    if (after !== undefined) list.add('gained', `takes a query now: ${after.sentence}`);
    if (before !== undefined) list.add('lost', 'takes no query any more');
    return;
  }
  compareUses('policy: filters', before.filterable, after.filterable, list);
  list.compareNames('policy: sorts by', before.sortable, after.sortable);
  compareUses('policy: aggregates', before.aggregatable, after.aggregatable, list);
  list.compareNames('policy: returns', before.returnable, after.returnable);
  const effect = after.maxSize > before.maxSize ? 'gained' : 'lost';
  list.compare('policy: rows of one page', before.maxSize, after.maxSize, effect);
  if (isOnlyTold(before, after)) list.compare('policy sentence', before.sentence, after.sentence);
}

function compareUses(
  what: string,
  before: Readonly<Record<string, readonly string[]>>,
  after: Readonly<Record<string, readonly string[]>>,
  list: ChangeList,
): void {
  for (const field of sideBySide(before, after)) {
    const [old, now] = [field.before ?? [], field.after ?? []];
    const gained = now.filter((use) => !old.includes(use));
    const lost = old.filter((use) => !now.includes(use));
    if (gained.length > 0) list.add('gained', `${what} ${field.name} with ${gained.join(', ')}`);
    if (lost.length > 0) list.add('lost', `${what} ${field.name} with ${lost.join(', ')}`);
  }
}

/** The values of an enum stand in the sentence alone. */
function isOnlyTold(before: PolicyLock, after: PolicyLock): boolean {
  return isDeepStrictEqual({ ...before, sentence: '' }, { ...after, sentence: '' });
}
