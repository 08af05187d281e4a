import type { AggregatePlan, GroupKey } from '../ast.js';
import { identityOf, jsonValueOf, rowReader } from '../kinds/index.js';
import { accumulatorOf, type Accumulator } from './accumulators.js';
import { compileFilter, type Row } from './row-filter.js';
import { sortedSlice } from './row-order.js';

type Output = Record<string, unknown>;

/** Groups rows, computes, and answers with the page asked for. Without groups there is one row, also of no rows. */
export function aggregateRows(plan: AggregatePlan, rows: readonly Row[]): Output[] {
  const outputs = outputsOf(plan, rows);
  const kept = plan.having === undefined ? outputs : outputs.filter(compileFilter(plan.having));
  return sortedSlice(kept, plan.sorts, plan.paging.offset, plan.paging.size);
}

interface Group {
  readonly first: Row | undefined;
  readonly accumulators: readonly Accumulator[];
}

function outputsOf({ groups, computed }: AggregatePlan, rows: readonly Row[]): Output[] {
  const makers = computed.map(accumulatorOf);
  const found: Group[] = [];
  const start = (first: Row | undefined) => {
    const group = { first, accumulators: makers.map((make) => make()) };
    found.push(group);
    return group;
  };
  const groupOf = groups.length === 0 ? constant(start(undefined)) : groupFinder(groups, start);
  for (const row of rows) {
    for (const accumulator of groupOf(row).accumulators) accumulator.add(row);
  }
  const readers = groups.map(valueReader);
  return found.map(({ first, accumulators }) => {
    const output: Output = {};
    groups.forEach((key, index) => (output[key.output.name] = readers[index]?.(first as Row)));
    computed.forEach((value, index) => (output[value.output.name] = accumulators[index]?.result()));
    return output;
  });
}

type Level = Map<unknown, unknown>;

/** Finds the group of a row, level by level: one map for each group key, the groups in the last ones. */
function groupFinder(keys: readonly GroupKey[], start: (first: Row) => Group): (row: Row) => Group {
  const root: Level = new Map();
  const readers = keys.map(identityReader);
  const last = readers.length - 1;
  return (row) => {
    let level = root;
    for (let depth = 0; depth < last; depth++) level = entry(level, readers[depth]?.(row), () => new Map()) as Level;
    return entry(level, readers[last]?.(row), () => start(row)) as Group;
  };
}

function entry(level: Level, key: unknown, make: () => unknown): unknown {
  const known = level.get(key);
  if (known !== undefined) return known;
  const made = make();
  level.set(key, made);
  return made;
}

function identityReader({ field }: GroupKey): (row: Row) => unknown {
  const read = rowReader(field);
  const identity = identityOf(field);
  const { name } = field;
  return (row) => {
    const value = read(row[name]);
    return value === null ? null : identity(value);
  };
}

function valueReader({ field }: GroupKey): (row: Row) => unknown {
  const read = rowReader(field);
  return (row) => {
    const value = read(row[field.name]);
    return value === null ? null : jsonValueOf(field, value);
  };
}

function constant(group: Group): () => Group {
  return () => group;
}
