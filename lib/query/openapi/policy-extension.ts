import type { DescribedQueryInput } from './described-query-input.js';

/** The policy as `x-query-policy`: the sentence that a model is told, and each axis. Its values are worked out when read. */
export function policyExtension(input: DescribedQueryInput): object {
  const policy = () => input.ownDescription().policy;
  return {
    form: input.form,
    get sentence() {
      return input.ownDescription().sentence;
    },
    get filterable() {
      return table(Object.values(policy().filterable).map(({ field, operators }) => [field.name, [...operators]]));
    },
    get sortable() {
      return Object.keys(policy().sortable);
    },
    get aggregatable() {
      const fields = Object.values(policy().aggregatable);
      return table(
        fields.map(({ field, isGroup, functions }) => [field.name, [...(isGroup ? ['group'] : []), ...functions]]),
      );
    },
    get returnable() {
      return [...(policy().returnable ?? policy().readFields)];
    },
    get maxSize() {
      return policy().maxSize;
    },
    paging: input.paging,
  };
}

function table(entries: readonly (readonly [string, readonly string[]])[]): Record<string, readonly string[]> {
  return Object.fromEntries(entries);
}
