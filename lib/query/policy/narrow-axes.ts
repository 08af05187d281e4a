import { isPlainObject } from '../../common/index.js';
import {
  FILTER_OPERATORS,
  MEASURE_FUNCTIONS,
  functionsOf,
  operatorsOf,
  type FilterOperator,
  type MeasureFunction,
  type QueryField,
} from '../kinds/index.js';
import type { PolicyCheck } from './policy-check.js';
import type { QueryPolicyAxes } from './query-policy.options.js';
import {
  fieldNamed,
  fieldTable,
  type AggregatableField,
  type FieldTable,
  type FilterableField,
  type PolicyAxis,
  type ResolvedQueryPolicy,
  type SortableField,
} from './resolved-query-policy.js';

type Options = QueryPolicyAxes<string>;

/** What the options leave of each axis. Whatever the policy does not allow is reported, and not granted. */
export function narrowFilterable(policy: ResolvedQueryPolicy, options: Options, check: PolicyCheck) {
  if (options.filterable === undefined) return policy.filterable;
  return narrowTable<FilterableField>(policy, 'filterable', options.filterable, check, (field, wanted) => {
    const allowed = policy.filterable[field.name]?.operators;
    if (wanted === true) return allowed && { field, operators: allowed };
    const operators = stated(wanted, 'filterable', field, check, FILTER_OPERATORS, operatorsOf(field.kind));
    return { field, operators: permitted(operators, allowed, 'filterable', field, check) };
  });
}

export function narrowSortable(policy: ResolvedQueryPolicy, options: Options, check: PolicyCheck) {
  if (options.sortable === undefined) return policy.sortable;
  return narrowTable<SortableField>(policy, 'sortable', listOf('sortable', options.sortable, check), check, (field) =>
    fieldNamed(policy.sortable, field.name),
  );
}

export function narrowAggregatable(policy: ResolvedQueryPolicy, options: Options, check: PolicyCheck) {
  if (options.aggregatable === undefined) return policy.aggregatable;
  return narrowTable<AggregatableField>(policy, 'aggregatable', options.aggregatable, check, (field, wanted) => {
    const allowed = policy.aggregatable[field.name];
    if (wanted === true) return allowed;
    const list = wanted === 'group' ? ['group'] : wanted;
    const known = ['group', ...MEASURE_FUNCTIONS] as const;
    const uses = stated(list, 'aggregatable', field, check, known, ['group', ...functionsOf(field.kind)]);
    const open = allowed && [...(allowed.isGroup ? (['group'] as const) : []), ...allowed.functions];
    const left = permitted(uses, open, 'aggregatable', field, check);
    return {
      field,
      isGroup: left.includes('group'),
      functions: left.filter((use): use is MeasureFunction => use !== 'group'),
    };
  });
}

export function narrowReturnable(
  policy: ResolvedQueryPolicy,
  options: Options,
  check: PolicyCheck,
): readonly string[] | undefined {
  if (options.returnable === undefined) return policy.returnable;
  const names = listOf('returnable', options.returnable, check).filter((name) => {
    const isRead = policy.readFields.includes(name);
    const isAllowed = policy.returnable?.includes(name) ?? true;
    if (!isRead) check.unknownField('returnable', name, policy.readFields);
    else if (!isAllowed) check.widens('returnable', name);
    return isRead && isAllowed;
  });
  return Object.freeze(policy.readFields.filter((name) => names.includes(name)));
}

function narrowTable<Entry extends { field: QueryField; operators?: readonly FilterOperator[] }>(
  policy: ResolvedQueryPolicy,
  axis: PolicyAxis,
  option: unknown,
  check: PolicyCheck,
  narrow: (field: QueryField, wanted: unknown) => Entry | undefined,
): FieldTable<Entry> {
  const entries: [string, Entry][] = [];
  for (const [name, wanted] of wantedFields(axis, option, check)) {
    const field = check.field(policy, axis, name);
    if (field === undefined) continue;
    const entry = narrow(field, wanted);
    if (entry === undefined) check.widens(axis, name);
    else if (!isEmpty(entry)) entries.push([name, entry]);
  }
  return fieldTable(entries);
}

/** A list names fields with everything they have; an object says for each what it has. */
function wantedFields(axis: PolicyAxis, option: unknown, check: PolicyCheck): readonly (readonly [string, unknown])[] {
  if (isPlainObject(option)) return Object.entries(option).filter(([, wanted]) => wanted !== undefined);
  return listOf(axis, option, check).map((name) => [name, true] as const);
}

function listOf(option: PolicyAxis, value: unknown, check: PolicyCheck): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return [...new Set(value)];
  check.invalidOption(option, 'is not a list of field names');
  return [];
}

/** The uses that the options state for a field: known ones that its kind has, alphabetical. */
function stated<Use extends string>(
  wanted: unknown,
  axis: PolicyAxis,
  field: QueryField,
  check: PolicyCheck,
  known: readonly Use[],
  ofKind: readonly Use[],
): readonly Use[] {
  if (!Array.isArray(wanted)) {
    check.invalidOption(`${axis}.${field.name}`, `is not true or a list of ${known.join(', ')}`);
    return [];
  }
  const uses = known.filter((use) => wanted.includes(use));
  for (const use of wanted as unknown[]) {
    if (!known.some((each) => each === use)) check.unknownOperator(axis, field.name, use, known);
  }
  for (const use of uses) if (!ofKind.includes(use)) check.unsupportedOperator(axis, field, use, ofKind);
  return uses.filter((use) => ofKind.includes(use)).sort();
}

function permitted<Use extends string>(
  uses: readonly Use[],
  allowed: readonly Use[] | undefined,
  axis: PolicyAxis,
  field: QueryField,
  check: PolicyCheck,
): readonly Use[] {
  for (const use of uses) if (!allowed?.includes(use)) check.widens(axis, `${field.name} ${use}`);
  return Object.freeze(uses.filter((use) => allowed?.includes(use)));
}

function isEmpty(entry: object): boolean {
  const { operators, functions, isGroup } = entry as Partial<FilterableField & AggregatableField>;
  return operators?.length === 0 || (functions?.length === 0 && isGroup === false);
}
