import { isDeepStrictEqual } from 'node:util';
import type { OperationLock, PaletteLock } from './palette-lock.js';
import { ChangeList, sideBySide, type SurfaceChange } from './surface-change.js';

/** Changes of operations. Where one comes into a palette or leaves it, its being new or gone is told there, as a tool. */
export function compareOperations(before: PaletteLock, after: PaletteLock): readonly SurfaceChange[] {
  return sideBySide(before.operations, after.operations).flatMap((entry) => {
    const [old, now] = [palettesWith(before, entry.name), palettesWith(after, entry.name)];
    const list = new ChangeList(`operation ${entry.name} (${now.join(', ') || 'in no palette'})`);
    if (entry.before !== undefined && entry.after !== undefined) {
      compareOperation(entry.before, entry.after, now.length > 0, list);
    } else if (isDeepStrictEqual(old, now)) list.add('changed', entry.before === undefined ? 'is new' : 'is gone');
    return list.changes;
  });
}

function compareOperation(before: OperationLock, after: OperationLock, isOffered: boolean, list: ChangeList): void {
  const acts = before.kind === 'query' && after.kind !== 'query';
  list.compare('kind', before.kind, after.kind, acts && isOffered ? 'gained' : 'changed');
  list.compare('route', before.route, after.route);
  list.compare('description', before.description, after.description);
  if (before.schema !== after.schema) list.add('changed', 'input schema is another');
}

function palettesWith({ palettes }: PaletteLock, operation: string): string[] {
  return Object.entries(palettes)
    .filter(([, { tools }]) => Object.values(tools).some((tool) => tool.operation === operation))
    .map(([name]) => name);
}
