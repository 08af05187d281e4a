import type { AggregatePlan, ComputedValue, GroupKey, OutputField } from '../ast.js';
import { operatorsOf } from '../kinds/index.js';
import { fieldNamed, type ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { AliasRegister } from './aliases.js';
import { ParseContext, pointerTo } from './parse-context.js';
import { parseComputed } from './parse-computed.js';
import { parseFilter, type FilterScope } from './parse-filter.js';
import { parsePaging } from './parse-paging.js';
import { parseSorts, withTieBreakers, type SortScope } from './parse-sorts.js';
import { readClosedObject, readNamedEntries } from './read-object.js';
import { refuseTooLarge } from './request-size.js';
import { filterScope } from './scopes.js';

export const AGGREGATE_QUERY_KEYS = ['$groups', '$computed', '$having', 'filters', 'sorts', 'page', 'size'] as const;

/**
 * Turns the raw JSON value of an aggregate query into a plan: parsed, and checked against the policy.
 * @throws QueryError with all issues of the request at once
 */
export function parseAggregateQuery(raw: unknown, policy: ResolvedQueryPolicy): AggregatePlan {
  const context = new ParseContext(policy.limits, policy.zone);
  refuseTooLarge(raw, context);
  const query = readClosedObject(raw, AGGREGATE_QUERY_KEYS, 'aggregate_shape_invalid', '', context) ?? {};
  const aliases = new AliasRegister(context);
  const groups = parseGroups(query.$groups, policy, aliases, context);
  const computed = parseAllComputed(query.$computed, policy, aliases, context);
  if (isMissing(query.$groups) && isMissing(query.$computed)) {
    context.refuse('aggregate_shape_invalid', '', { allowed: ['$groups', '$computed'] });
  }
  const outputs = [...groups, ...computed].map((each) => each.output);
  const filter =
    query.filters === undefined ? undefined : parseFilter(query.filters, filterScope(policy), '/filters', context);
  const having =
    query.$having === undefined
      ? undefined
      : parseFilter(query.$having, outputScope(outputs, aliases), '/$having', context);
  const sorts = parseSorts(query.sorts, outputSorts(outputs, aliases), context);
  const { maxSize } = policy;
  const paging = parsePaging(query.page, query.size, { maxSize, defaultSize: maxSize }, context);
  context.throwIfRefused();
  return Object.freeze({
    form: 'aggregate',
    ...(filter === undefined ? {} : { filter }),
    groups: Object.freeze(groups),
    computed: Object.freeze(computed),
    ...(having === undefined ? {} : { having }),
    sorts: withTieBreakers(
      sorts,
      groups.map((group) => group.output),
    ),
    paging,
  });
}

function parseGroups(
  value: unknown,
  policy: ResolvedQueryPolicy,
  aliases: AliasRegister,
  context: ParseContext,
): readonly GroupKey[] {
  const entries = value === undefined ? [] : readNamedEntries(value, 'aggregate_shape_invalid', '/$groups', context);
  const groupable = Object.values(policy.aggregatable).filter((each) => each.isGroup);
  return (entries ?? []).flatMap(([alias, source], index) => {
    const pointer = pointerTo('/$groups', alias);
    context.countClauses(1, pointer);
    const isAlias = aliases.take(alias, pointer);
    const found = typeof source === 'string' ? fieldNamed(policy.aggregatable, source) : undefined;
    if (!found?.isGroup) {
      const allowed = groupable.map((each) => each.field.name);
      context.refuse('field_not_aggregatable', pointer, {
        ...(typeof source === 'string' && { field: source }),
        allowed,
      });
      return [];
    }
    const { field } = found;
    return isAlias ? [Object.freeze({ output: output(alias, `g${index}`, field), field })] : [];
  });
}

function parseAllComputed(
  value: unknown,
  policy: ResolvedQueryPolicy,
  aliases: AliasRegister,
  context: ParseContext,
): readonly ComputedValue[] {
  const entries = value === undefined ? [] : readNamedEntries(value, 'aggregate_shape_invalid', '/$computed', context);
  return (entries ?? []).flatMap(([alias, source], index) => {
    const pointer = pointerTo('/$computed', alias);
    const isAlias = aliases.take(alias, pointer);
    const parsed = parseComputed(source, policy, pointer, context);
    if (parsed === undefined || !isAlias) return [];
    return [Object.freeze({ ...parsed.value, output: output(alias, `c${index}`, parsed.result) })];
  });
}

function output(
  name: string,
  column: string,
  { kind, enumValues }: Pick<OutputField, 'kind' | 'enumValues'>,
): OutputField {
  return Object.freeze({ name, column, kind, enumValues });
}

/** Filters of an aggregate's answer: its own aliases, with everything their kinds have. */
function outputScope(outputs: readonly OutputField[], aliases: AliasRegister): FilterScope<OutputField> {
  return {
    find: (name) => {
      const field = outputs.find((each) => each.name === name);
      return field && { field, operators: operatorsOf(field.kind) };
    },
    names: outputs.map((each) => each.name),
    unknownCode: 'field_not_filterable',
    isRefused: (name) => aliases.has(name),
  };
}

function outputSorts(outputs: readonly OutputField[], aliases: AliasRegister): SortScope<OutputField> {
  return {
    find: (name) => outputs.find((each) => each.name === name),
    names: outputs.map((each) => each.name),
    unknownCode: 'field_not_sortable',
    isRefused: (name) => aliases.has(name),
  };
}

function isMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
