import type { PaletteEntry } from '../../palette/index.js';
import { describeQueryPolicy, QueryInput, type ResolvedQueryPolicy } from '../../query/index.js';
import { sortedRecord } from './canonical-json.js';
import type { PolicyLock } from './palette-lock.js';

/** The query policy that calls of a palette entry are held to; undefined where the operation takes no query. */
export function policyLock(entry: PaletteEntry): PolicyLock | undefined {
  const policy = entry.queryPolicy ?? ownPolicy(entry);
  if (policy === undefined) return undefined;
  return {
    sentence: describeQueryPolicy(policy),
    filterable: sortedRecord(Object.entries(policy.filterable).map(([name, { operators }]) => [name, operators])),
    sortable: Object.keys(policy.sortable).sort(),
    aggregatable: sortedRecord(
      Object.entries(policy.aggregatable).map(([name, { isGroup, functions }]) => [
        name,
        [...(isGroup ? ['group'] : []), ...functions],
      ]),
    ),
    returnable: [...(policy.returnable ?? policy.readFields)].sort(),
    maxSize: policy.maxSize,
  };
}

function ownPolicy({ operation }: PaletteEntry): ResolvedQueryPolicy | undefined {
  const input = [...operation.input.declared.values()].find((declared) => declared instanceof QueryInput);
  return input?.describeFor(operation.controller.prototype as object, operation.methodName).policy;
}
