import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../../operations/index.js';
import {
  BIGINT_PATTERN,
  DATETIME_PATTERN,
  DATE_PATTERN,
  DECIMAL_PATTERN,
  UUID_PATTERN,
  type FieldKind,
  type QueryField,
} from '../kinds/index.js';

/** Kinds whose operands need more than one word: stated once in a document, and referred to. */
const NAMED: Readonly<Partial<Record<FieldKind, JsonSchema>>> = {
  uuid: { type: 'string', pattern: UUID_PATTERN },
  bigint: { type: 'string', pattern: BIGINT_PATTERN, description: 'An integer, as a string.' },
  decimal: { type: 'string', pattern: DECIMAL_PATTERN, description: 'A decimal number, as a string.' },
  date: { type: 'string', pattern: DATE_PATTERN, description: 'YYYY-MM-DD' },
  datetime: { type: 'string', pattern: DATETIME_PATTERN, description: 'YYYY-MM-DDThh:mm:ss, with Z or an offset.' },
};

const PLAIN: Readonly<Partial<Record<FieldKind, JsonSchema>>> = {
  string: { type: 'string' },
  int: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
};

/** The schema of one operand of a field. */
export function operandSchema(field: QueryField, readModelName: string, context: SchemaContext): JsonSchema {
  const { kind } = field;
  if (kind === 'enum') {
    return context.define(field, `${readModelName}_${field.name}`, () => ({ enum: [...field.enumValues] }));
  }
  const named = NAMED[kind];
  if (named === undefined) return { ...PLAIN[kind] };
  return context.define(named, `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, () => ({ ...named }));
}
