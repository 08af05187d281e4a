import type { JsonSchema } from '../../../common/index.js';
import { only } from '../constraint.js';
import { constraintSchema } from '../constraint-schema.js';
import { openSchema, TRANSFORMED_NOTE, type Opening } from '../opening.js';
import { DATE_FORMATS, expressionOf, schemaPattern } from '../validators/index.js';
import type { ZodMarks } from './zod-marks.js';

/**
 * Loosens what zod told of a value to what zod takes.
 *
 * @param lose told what is left open, in words for the developer
 */
export function applyMarks(told: JsonSchema, marks: ZodMarks, lose: (why: string) => void): JsonSchema {
  if (marks.isRefined) lose('is also checked by the application in a way (.refine, .pipe) that the schema cannot tell');
  if (marks.untold !== undefined) {
    lose(`is a ${marks.untold} of zod, which JSON Schema cannot tell: left open`);
    return annotationsOf(told);
  }
  if (marks.isDate)
    return { ...annotationsOf(told), ...constraintSchema(only('string', {}, { formats: DATE_FORMATS })) };
  const schema = withoutPatterns(told, marks.withoutPatterns ?? [], lose);
  const openings = [...(marks.isConverted ? [CONVERTED] : []), ...(marks.isReplaced ? [REPLACED] : [])];
  for (const { gap } of openings) lose(gap);
  if (openings.length > 0) return openedSchema(schema, openings);
  return marks.isChanged ? withoutChecks(schema, lose) : schema;
}

function openedSchema({ default: initial, ...expected }: JsonSchema, openings: readonly Opening[]): JsonSchema {
  return { ...openSchema(expected, openings), ...(initial !== undefined && { default: initial }) };
}

const CONVERTED: Opening = {
  note: TRANSFORMED_NOTE,
  gap: 'is transformed before it is checked (z.preprocess): left open',
};

const REPLACED: Opening = {
  note: 'The application takes a value of its own where this does not fit',
  gap: 'is replaced where it does not fit (.catch): left open',
};

const CHANGED: Opening = {
  note: 'The application changes the value before it checks it; then it must fit',
  gap: 'is changed before it is checked (.trim and the like): what is checked then is told in words',
};

const CHECKS = [
  ...([
    'minLength',
    'maxLength',
    'pattern',
    'allOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
  ] as const),
  ...(['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'] as const),
];

function withoutChecks(schema: JsonSchema, lose: (why: string) => void): JsonSchema {
  const rest: JsonSchema = { ...schema };
  const checks: Record<string, unknown> = {};
  for (const keyword of CHECKS) {
    if (rest[keyword] === undefined) continue;
    checks[keyword] = rest[keyword];
    delete rest[keyword];
  }
  if (Object.keys(checks).length === 0) return schema;
  lose(CHANGED.gap);
  const { description, ...keywords } = rest;
  const { description: note } = openSchema({ ...(description !== undefined && { description }), ...checks }, [CHANGED]);
  return { ...keywords, ...(note !== undefined && { description: note }) };
}

function withoutPatterns(schema: JsonSchema, sources: readonly string[], lose: (why: string) => void): JsonSchema {
  const patterns = sources.flatMap((source) => expressionOf(source, '') ?? []).map(schemaPattern);
  const isMisleading = ({ pattern }: JsonSchema): boolean => pattern !== undefined && patterns.includes(pattern);
  const { allOf = [], ...rest } = schema;
  const kept = allOf.filter((each) => !isMisleading(each));
  if (kept.length === allOf.length && !isMisleading(rest)) return schema;
  // A format says what its pattern says.
  if (schema.format === undefined) lose('has a pattern whose flags or place JSON Schema cannot carry: left out');
  if (isMisleading(rest)) delete rest.pattern;
  return kept.length > 0 ? { ...rest, allOf: kept } : rest;
}

function annotationsOf({ title, description, examples }: JsonSchema): JsonSchema {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
  };
}
