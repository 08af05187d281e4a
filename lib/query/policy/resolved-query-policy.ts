import type { Type } from '@nestjs/common';
import type { SortKey } from '../ast.js';
import type { FilterOperator, MeasureFunction, QueryField, ZoneOffset } from '../kinds/index.js';
import type { QueryLimits } from './query-policy.options.js';

/** Own keys only: the table has no prototype, so `constructor` and `__proto__` are names like any other. */
export type FieldTable<Entry> = Readonly<Record<string, Entry>>;

export interface FilterableField {
  readonly field: QueryField;
  /** Alphabetical, at least one. */
  readonly operators: readonly FilterOperator[];
}

export interface SortableField {
  readonly field: QueryField;
}

export interface AggregatableField {
  readonly field: QueryField;
  readonly isGroup: boolean;
  /** Alphabetical; may be empty where the field only groups. */
  readonly functions: readonly MeasureFunction[];
}

export type PolicyAxis = 'filterable' | 'sortable' | 'aggregatable' | 'returnable';

/**
 * What callers may ask of one read model, through one method, under one palette: the object that is advertised and the
 * object that is enforced. Frozen. Tables hold their fields alphabetically.
 */
export interface ResolvedQueryPolicy {
  readonly readModel: Type;
  /** False where nobody wrote a policy: every read field is then open. */
  readonly isDeclared: boolean;
  /** Axes that somebody narrowed; in the others an unknown name is "not on the read model". */
  readonly declaredAxes: readonly PolicyAxis[];
  /** The names of everything a row is read with, in the read model's order. */
  readonly readFields: readonly string[];
  /** The read fields whose kind is known: only they can be filtered, sorted or aggregated. */
  readonly fields: FieldTable<QueryField>;
  readonly filterable: FieldTable<FilterableField>;
  readonly sortable: FieldTable<SortableField>;
  readonly aggregatable: FieldTable<AggregatableField>;
  /** The only fields that rows may hold; absent where there is no such limit. */
  readonly returnable?: readonly string[];
  readonly tieBreaker?: QueryField;
  readonly defaultSort: readonly SortKey[];
  readonly maxSize: number;
  readonly zone: ZoneOffset;
  readonly limits: QueryLimits;
}

/** A table that owns its keys and nothing else, alphabetical. */
export function fieldTable<Entry extends object>(entries: Iterable<readonly [string, Entry]>): FieldTable<Entry> {
  const table = Object.create(null) as Record<string, Entry>;
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, entry] of sorted) table[name] = Object.freeze(entry);
  return Object.freeze(table);
}

/** Looks a name up that a caller sent. */
export function fieldNamed<Entry>(table: FieldTable<Entry>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
