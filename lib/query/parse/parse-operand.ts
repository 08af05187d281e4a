import type { FilterNode, ListNode, PatternNode } from '../ast.js';
import {
  expectedOperands,
  isPatternOperator,
  isStorableText,
  parseOperand,
  type FilterOperator,
  type ListOperator,
  type Operand,
  type PatternOperator,
  type QueryField,
} from '../kinds/index.js';
import { compileRegex, isLikePattern } from '../patterns/index.js';
import { pointerTo, type IssueFacts, type ParseContext } from './parse-context.js';

/** One operator of one field being parsed. */
interface Condition<Field extends QueryField> {
  readonly field: Field;
  readonly operator: FilterOperator;
  readonly pointer: string;
  readonly context: ParseContext;
}

/** The leaf of a filter; undefined where the operand does not fit, which is reported. */
export function parseCondition<Field extends QueryField>(
  value: unknown,
  condition: Condition<Field>,
): FilterNode<Field> | undefined {
  const { field, operator } = condition;
  if (operator === '$null') return parseNull(value, condition);
  if (operator === '$in' || operator === '$nin') return parseList(value, operator, condition);
  if (isPatternOperator(operator)) return parsePatterns(value, operator, condition);
  const operand = operandOf(value, condition, condition.pointer);
  return operand === undefined ? undefined : Object.freeze({ type: 'comparison', field, operator, operand });
}

function parseNull<Field extends QueryField>(
  value: unknown,
  condition: Condition<Field>,
): FilterNode<Field> | undefined {
  if (typeof value !== 'boolean') return refuseOperand(condition, condition.pointer, [true, false]);
  return Object.freeze({ type: 'null', field: condition.field, isNull: value });
}

function parseList<Field extends QueryField>(
  value: unknown,
  operator: ListOperator,
  condition: Condition<Field>,
): ListNode<Field> | undefined {
  const list = listOf(value, condition, condition.context.limits.maxListLength);
  const operands = list?.map((element, index) => operandOf(element, condition, pointerTo(condition.pointer, index)));
  if (!operands?.every((operand) => operand !== undefined)) return undefined;
  return Object.freeze({ type: 'list', field: condition.field, operator, operands: Object.freeze(operands) });
}

function parsePatterns<Field extends QueryField>(
  value: unknown,
  operator: PatternOperator,
  condition: Condition<Field>,
): PatternNode<Field> | undefined {
  const { context, pointer, field } = condition;
  const list = typeof value === 'string' ? [value] : listOf(value, condition, context.limits.maxPatterns);
  if (list === undefined || !context.countClauses(Math.max(0, list.length - 1), pointer)) return undefined;
  const at = (index: number) => (typeof value === 'string' ? pointer : pointerTo(pointer, index));
  const patterns = list.map((pattern, index) => patternOf(pattern, operator, condition, at(index)));
  if (!patterns.every((pattern) => pattern !== undefined)) return undefined;
  return Object.freeze({ type: 'pattern', field, operator, patterns: Object.freeze(patterns) });
}

function listOf<Field extends QueryField>(
  value: unknown,
  condition: Condition<Field>,
  maxLength: number,
): readonly unknown[] | undefined {
  const { context, pointer } = condition;
  if (!Array.isArray(value)) return refuseOperand(condition, pointer, ['a list', ...expectedOperands(condition.field)]);
  if (value.length <= maxLength) return value;
  return context.refuse('filter_list_exceeded', pointer, { ...named(condition), allowed: [maxLength] });
}

function operandOf<Field extends QueryField>(
  value: unknown,
  condition: Condition<Field>,
  pointer: string,
): Operand | undefined {
  const { field, context } = condition;
  return parseOperand(value, field, context.zone) ?? refuseOperand(condition, pointer, expectedOperands(field));
}

function patternOf<Field extends QueryField>(
  value: unknown,
  operator: PatternOperator,
  condition: Condition<Field>,
  pointer: string,
): string | undefined {
  const { context } = condition;
  if (!isStorableText(value)) return refuseOperand(condition, pointer, ['a pattern as a string']);
  const { maxPatternLength } = context.limits;
  if (isLongerThan(value, maxPatternLength)) {
    const allowed = [`at most ${maxPatternLength} characters`];
    return context.refuse('filter_pattern_invalid', pointer, { ...named(condition), allowed });
  }
  const isValid = operator === '$regex' ? compileRegex(value) !== undefined : isLikePattern(value);
  if (isValid) return value;
  return context.refuse('filter_pattern_invalid', pointer, { ...named(condition), allowed: [SYNTAX[operator]] });
}

const SYNTAX: Readonly<Record<PatternOperator, string>> = {
  $regex: 'RE2 syntax: no look-around, no back-references, repetitions up to 1000',
  $like: '%, _ and \\ before a character',
  $ilike: '%, _ and \\ before a character',
};

/** Characters are code points, as JSON Schema counts them. */
function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);
}

function refuseOperand(
  condition: Condition<QueryField>,
  pointer: string,
  allowed: NonNullable<IssueFacts['allowed']>,
): undefined {
  return condition.context.refuse('filter_operand_invalid', pointer, { ...named(condition), allowed });
}

function named({ field, operator }: Condition<QueryField>): IssueFacts {
  return { field: field.name, operator };
}
