import type { PaletteEntry } from '../../palette/index.js';
import { describeQueryPolicy, QueryInput } from '../../query/index.js';
import { sortedRecord } from './canonical-json.js';
import type { PolicyLock } from './palette-lock.js';

/** The query policy that calls of a palette entry are held to; undefined where the operation takes no query. */
export function policyLock(entry: PaletteEntry): PolicyLock | undefined {
  const { operation } = entry;
  const input = [...operation.input.declared.values()].find((declared) => declared instanceof QueryInput);
  if (input === undefined) return undefined;
  const own = () => input.describeFor(operation.controller.prototype as object, operation.methodName).policy;
  const policy = entry.queryPolicy ?? own();
  return {
    sentence: describeQueryPolicy(policy, input.paging),
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
