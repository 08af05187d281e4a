import type { FieldKind, FilterNode, Operand, QueryField } from '../../query/index.js';
import { refuse } from './scope-refusal.js';

/** A Prisma `where`, of which `AND`, `OR`, `NOT` and the comparisons of columns with values are understood. */
export type PrismaWhere = Readonly<Record<string, unknown>>;

/**
 * A Prisma `where` as a filter, with the meaning that Prisma gives it: what is negated does not match null. Undefined for
 * an empty one, which is every row.
 * @throws QueryStoreError `query_store_base_unsupported` for whatever is not understood, and for `undefined`, which Prisma takes for "no condition"
 */
export function whereFilter(where: PrismaWhere, fields: ScopeFields): FilterNode | undefined {
  const filter = conditionOf(where, fields, false);
  if (filter === 'all') return undefined;
  return filter === 'none' ? nothing(fields) : filter;
}

/** The fields that a scope may name. */
export type ScopeFields = ReadonlyMap<string, QueryField>;

type Condition = FilterNode | 'all' | 'none';

function conditionOf(where: unknown, fields: ScopeFields, isNegated: boolean): Condition {
  const conditions = entriesOf(where, '').map(([key, value]) => entryCondition(key, value, fields, isNegated));
  return combine(isNegated ? 'or' : 'and', conditions);
}

function entryCondition(key: string, value: unknown, fields: ScopeFields, isNegated: boolean): Condition {
  if (key === 'AND' || key === 'OR') {
    const type = (key === 'AND') === isNegated ? 'or' : 'and';
    return combine(
      type,
      listOf(value).map((each) => conditionOf(each, fields, isNegated)),
    );
  }
  // `NOT` of a list: none of them may match.
  if (key === 'NOT') {
    return combine(
      isNegated ? 'or' : 'and',
      listOf(value).map((each) => conditionOf(each, fields, !isNegated)),
    );
  }
  const field = fields.get(key);
  if (field === undefined) return notUnderstood(key);
  return fieldCondition(field, value, isNegated);
}

function fieldCondition(queried: QueryField, value: unknown, isNegated: boolean): Condition {
  if (!isPlainObject(value)) return equality(queried, value, isNegated);
  const conditions = entriesOf(value, queried.name).map(([operator, operand]) => {
    if (operator === 'equals') return equality(queried, operand, isNegated);
    if (operator === 'not') {
      return isPlainObject(operand)
        ? fieldCondition(queried, operand, !isNegated)
        : equality(queried, operand, !isNegated);
    }
    if (operator === 'in' || operator === 'notIn') {
      return membership(queried, operand, (operator === 'notIn') !== isNegated);
    }
    return comparison(queried, operator, operand, isNegated);
  });
  return combine(isNegated ? 'or' : 'and', conditions);
}

function equality(field: QueryField, value: unknown, isNegated: boolean): Condition {
  if (value === null) return { type: 'null', field, isNull: !isNegated };
  const operand = operandOf(field, value);
  if (!isNegated) return { type: 'comparison', field, operator: '$eq', operand };
  return present(field, { type: 'comparison', field, operator: '$neq', operand });
}

function membership(field: QueryField, value: unknown, isNegated: boolean): Condition {
  if (!Array.isArray(value)) return notUnderstood(field.name);
  const operands = value.map((each) => operandOf(field, each));
  if (operands.length === 0) return isNegated ? 'all' : 'none';
  if (!isNegated) return { type: 'list', field, operator: '$in', operands };
  return present(field, { type: 'list', field, operator: '$nin', operands });
}

const OPERATORS = { gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte' } as const;

const ORDERED: readonly FieldKind[] = ['int', 'bigint', 'number', 'decimal', 'date', 'datetime'];

/** Text and enums have no order that Prisma and the language share. */
function comparison(field: QueryField, operator: string, value: unknown, isNegated: boolean): Condition {
  if (!Object.hasOwn(OPERATORS, operator) || !ORDERED.includes(field.kind)) {
    return notUnderstood(`${field.name}.${operator}`);
  }
  const known = OPERATORS[operator as keyof typeof OPERATORS];
  const filter: FilterNode = { type: 'comparison', field, operator: known, operand: operandOf(field, value) };
  return isNegated ? present(field, { type: 'not', filter }) : filter;
}

/** What Prisma negates never matches null. */
function present(field: QueryField, filter: FilterNode): FilterNode {
  return { type: 'and', filters: [filter, { type: 'null', field, isNull: false }] };
}

function combine(type: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const [absorbing, neutral] = type === 'and' ? (['none', 'all'] as const) : (['all', 'none'] as const);
  if (conditions.includes(absorbing)) return absorbing;
  const filters = conditions.filter((each): each is FilterNode => typeof each !== 'string');
  const [first] = filters;
  if (first === undefined) return neutral;
  return filters.length === 1 ? first : { type, filters };
}

function nothing(fields: ScopeFields): FilterNode {
  const [field] = fields.values();
  if (field === undefined) return notUnderstood('');
  return { type: 'list', field, operator: '$in', operands: [] };
}

function operandOf({ name, kind }: QueryField, value: unknown): Operand {
  const operand = OPERANDS[kind]?.(value);
  if (operand === undefined) return notUnderstood(name);
  return operand;
}

const OPERANDS: Readonly<Partial<Record<FieldKind, (value: unknown) => Operand | undefined>>> = {
  string: text,
  uuid: (value) => text(value)?.toLowerCase(),
  int: integer,
  bigint: integer,
  number: (value) => (Number.isFinite(value) ? (value as number) : undefined),
  decimal: decimalText,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => moment(value)?.slice(0, 10),
  datetime: moment,
};

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function integer(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number | bigint) : undefined;
}

function moment(value: unknown): string | undefined {
  const date = typeof value === 'string' ? new Date(value) : value;
  return date instanceof Date && Number.isFinite(date.getTime()) ? date.toISOString() : undefined;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Numbers, texts, and the objects of decimal libraries. */
function decimalText(value: unknown): string | undefined {
  const isDecimal =
    typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function';
  const text = isDecimal ? (value as { toFixed(): string }).toFixed() : String(value);
  return DECIMAL.test(text) ? text : undefined;
}

function entriesOf(value: unknown, at: string): [string, unknown][] {
  if (!isPlainObject(value)) return notUnderstood(at);
  return Reflect.ownKeys(value).map((key) => {
    const name = String(key);
    const held = Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
    if (held === undefined || typeof key === 'symbol') {
      return refuse(`it holds "${name}" as undefined, which Prisma takes for no condition`);
    }
    return [name, held];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Also where the prototype was changed: `{ __proto__: where }` has no conditions of its own. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function notUnderstood(at: string): never {
  return refuse(`"${at}" is not understood: compare columns of the model with values, or write it as Prisma.sql`);
}
