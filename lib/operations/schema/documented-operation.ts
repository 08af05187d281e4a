import { isPlainObject, type JsonSchema } from '../../common/index.js';
import { isJsonPrimitive, only } from './constraint.js';
import { constraintSchema } from './constraint-schema.js';
import { declaredKinds } from './declared-type.js';
import { documentedExamples, documentedType } from './documented-property.js';
import { DATE_FORMATS } from './validators/index.js';

/**
 * What `@nestjs/swagger` was told of a method: a documentation, which nothing enforces. The package itself is not needed.
 * @see https://docs.nestjs.com/openapi/operations
 */
export interface DocumentedOperation {
  /** Of `@ApiOperation()`: its summary and its description, as sentences; `''` where there is none. */
  readonly description: string;
  /** Of `@ApiParam()` and `@ApiQuery()`. */
  readonly parameters: readonly DocumentedParameter[];
  /** Of `@ApiBody()`. */
  readonly body: DocumentedBody | undefined;
}

export interface DocumentedParameter {
  readonly source: 'path' | 'query';
  readonly name: string;
  readonly description: string | undefined;
  /** Of its values; undefined where a class documents the whole. */
  readonly schema: JsonSchema | undefined;
}

export interface DocumentedBody {
  readonly description: string | undefined;
  readonly type: unknown;
  /** Whether it is a list of the type. */
  readonly isArray: boolean;
}

const KEYS = { operation: 'swagger/apiOperation', parameters: 'swagger/apiParameters' } as const;

/** Reads what the decorators of `@nestjs/swagger` leave on a handler. */
export function documentedOperation(handler: object): DocumentedOperation {
  const operation = fieldsOf(Reflect.getMetadata(KEYS.operation, handler));
  const parameters: unknown = Reflect.getMetadata(KEYS.parameters, handler);
  const stated = (Array.isArray(parameters) ? (parameters as unknown[]) : []).map(fieldsOf);
  const body = stated.findLast((each) => each['in'] === 'body');
  return {
    description: sentences(textOf(operation['summary']), textOf(operation['description'])),
    parameters: stated.flatMap((each) => describeParameter(each) ?? []),
    body: body && describeBody(body),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function describeParameter(stated: Fields): DocumentedParameter | undefined {
  const { in: source, name, description } = stated;
  if ((source !== 'path' && source !== 'query') || typeof name !== 'string' || name === '') return undefined;
  return { source, name, description: textOf(description), schema: schemaOf(stated) };
}

function describeBody({ description, type: stated, isArray: isList }: Fields): DocumentedBody {
  const [type, isArray] = documentedType(stated, isList === true);
  return { description: textOf(description), type, isArray };
}

function schemaOf(stated: Fields): JsonSchema | undefined {
  const inner = fieldsOf(stated['schema']);
  const [type, isArray] = documentedType(stated['type'] ?? inner['type'], stated['isArray'] === true);
  const isList = isArray || type === Array;
  const schema = isList ? listSchema(type, fieldsOf(inner['items'])) : scalarSchema(type, { ...inner, ...stated });
  const examples = documentedExamples(stated['example'], stated['examples']);
  return schema && { ...schema, ...(examples.length > 0 && { examples: [...examples] }) };
}

function listSchema(type: unknown, items: Fields): JsonSchema | undefined {
  const item = scalarSchema(type === Array ? documentedType(items['type'], false)[0] : type, items);
  return item && { type: 'array', items: item };
}

/** Undefined for a class: what it is made of stands in the schema of the parameter that has it as its type. */
function scalarSchema(type: unknown, { enum: values, format }: Fields): JsonSchema | undefined {
  if (type === undefined) return {};
  if (type === Date) return constraintSchema(only('string', {}, { formats: DATE_FORMATS }));
  const [kind] = declaredKinds(type) ?? [];
  if (kind === undefined) return undefined;
  const choice = (Array.isArray(values) ? (values as unknown[]) : []).filter(isJsonPrimitive);
  return constraintSchema(
    only(
      kind,
      {},
      {
        ...(kind === 'string' && typeof format === 'string' && { formats: [format] }),
        ...(choice.length > 0 && { values: choice }),
      },
    ),
  );
}

/** A summary is a title as a rule: it ends where the description begins. */
function sentences(summary: string | undefined, description: string | undefined): string {
  if (summary === undefined || description === undefined) return summary ?? description ?? '';
  if (description.startsWith(summary)) return description;
  return `${/[.!?:]$/.test(summary) ? summary : `${summary}.`} ${description}`;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}
