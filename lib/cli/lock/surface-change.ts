import { isDeepStrictEqual } from 'node:util';

/** Whether agents gained something by a change, lost something, or neither can be told. */
export type ChangeEffect = 'gained' | 'changed' | 'lost';

export interface SurfaceChange {
  readonly effect: ChangeEffect;
  /** What changed: `tool notes__list of palette "answering"`. */
  readonly at: string;
  readonly what: string;
}

/** Collects the changes of one thing. */
export class ChangeList {
  readonly changes: SurfaceChange[] = [];

  constructor(private readonly at: string) {}

  add(effect: ChangeEffect, what: string): void {
    this.changes.push({ effect, at: this.at, what });
  }

  /** Tells a value that is not what it was. */
  compare(what: string, before: unknown, after: unknown, effect: ChangeEffect = 'changed'): void {
    if (isDeepStrictEqual(before, after)) return;
    this.add(effect, `${what}: ${JSON.stringify(before) ?? 'none'} -> ${JSON.stringify(after) ?? 'none'}`);
  }

  /** Tells names that came and names that went. */
  compareNames(what: string, before: readonly string[], after: readonly string[]): void {
    for (const name of after.filter((each) => !before.includes(each))) this.add('gained', `${what} ${name}`);
    for (const name of before.filter((each) => !after.includes(each))) this.add('lost', `${what} ${name}`);
  }
}

export interface ComparedEntry<Value> {
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** The entries of two records side by side, in the order of names. */
export function sideBySide<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): readonly ComparedEntry<Value>[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.map((name) => ({ name, before: own(before, name), after: own(after, name) }));
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
