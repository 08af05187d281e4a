import type { Paging } from '../ast.js';
import { MEASURE_FUNCTIONS, functionsOf, isNumeric, isTemporal, type QueryField } from '../kinds/index.js';
import type { AggregatableField, FilterableField, ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { groupBy } from './group-by.js';

/**
 * What a model is told of a policy: one text, empty where the policy allows nothing. It follows the operation's own.
 * Operators that every field shares are stated once; then fields by label and by what is left of their operators, each
 * list stated once. Pages by number go without saying; by cursor they do not.
 */
export function describeQueryPolicy(policy: ResolvedQueryPolicy, paging: Paging['kind'] = 'offset'): string {
  return [
    describeFilterable(Object.values(policy.filterable)),
    listing('Sortable by', Object.keys(policy.sortable)),
    listing('Aggregatable by', Object.values(policy.aggregatable).map(describeAggregatable)),
    paging === 'cursor' ? CURSOR_PAGING : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const CURSOR_PAGING = 'Cursor pagination: send nextCursor as after, or prevCursor as before.';

/** Fields of one label that have the same operators left. */
interface FieldGroup {
  readonly label: string;
  /** The operators that are not shared by every field, as one text; empty where none are left. */
  readonly operators: string;
  readonly fields: readonly QueryField[];
}

const LABELS = ['string', 'number', 'temporal', 'boolean', 'enum', 'uuid'] as const;

function describeFilterable(fields: readonly FilterableField[]): string {
  if (fields.length === 0) return '';
  const shared = (fields[0] as FilterableField).operators.filter((operator) =>
    fields.every((each) => each.operators.includes(operator)),
  );
  const groups = groupsOf(fields, shared);
  const stated = groups.map((group, index) => describeGroup(group, groups.slice(0, index), groups, shared.length > 0));
  const common = shared.length === 0 ? [] : [`${shared.join(', ')} on every field`];
  return `Filterable fields — ${[...common, ...stated].join('; ')}.`;
}

function groupsOf(fields: readonly FilterableField[], shared: readonly string[]): readonly FieldGroup[] {
  const left = ({ operators }: FilterableField) => operators.filter((each) => !shared.includes(each)).join(', ');
  const groups = groupBy(fields, (each) => `${labelOf(each.field)} ${left(each)}`).map((group) => {
    const first = group[0] as FilterableField;
    return { label: labelOf(first.field), operators: left(first), fields: group.map((each) => each.field) };
  });
  const rank = (group: FieldGroup) => LABELS.findIndex((label) => label === group.label);
  return groups.sort((a, b) => rank(a) - rank(b));
}

function describeGroup(
  group: FieldGroup,
  before: readonly FieldGroup[],
  all: readonly FieldGroup[],
  hasShared: boolean,
): string {
  const fields = group.fields.map(describeField).join(', ');
  if (group.operators === '') return `${group.label}: ${fields}`;
  const same = before.find((each) => each.operators === group.operators);
  const operators = same === undefined ? `${hasShared ? 'also ' : ''}${group.operators}` : `as ${nameOf(same, all)}`;
  return `${group.label} (${operators}): ${fields}`;
}

/** Names a group by its label; by its first field where the label stands for several groups. */
function nameOf(group: FieldGroup, all: readonly FieldGroup[]): string {
  const isOnly = all.filter((each) => each.label === group.label).length === 1;
  return isOnly ? group.label : (group.fields[0]?.name ?? group.label);
}

function describeField(field: QueryField): string {
  return field.kind === 'enum' ? `${field.name} (${field.enumValues.join(', ')})` : field.name;
}

function describeAggregatable({ field, isGroup, functions }: AggregatableField): string {
  const isWhole = isGroup && functions.length === functionsOf(field.kind).length;
  const uses = [...(isGroup ? ['group'] : []), ...MEASURE_FUNCTIONS.filter((each) => functions.includes(each))];
  return isWhole ? field.name : `${field.name} (${uses.join(', ')})`;
}

function labelOf({ kind }: QueryField): (typeof LABELS)[number] {
  if (isNumeric(kind)) return 'number';
  if (isTemporal(kind)) return 'temporal';
  return LABELS.find((label) => label === kind) ?? 'string';
}

function listing(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}: ${items.join(', ')}.`;
}
