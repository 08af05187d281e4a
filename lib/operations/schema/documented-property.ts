import type { Type } from '@nestjs/common';
import { isPlainObject, ownValue, type JsonPrimitive } from '../../common/index.js';
import { isJsonPrimitive } from './constraint.js';
import { enumValues } from './validators/index.js';

/**
 * What `@nestjs/swagger` was told of a property: a documentation, which nothing enforces. It is read from where the
 * decorators and the compiler plugin of that package leave it; the package itself is not needed.
 * @see https://docs.nestjs.com/openapi/types-and-parameters
 */
export interface DocumentedProperty {
  readonly description: string | undefined;
  readonly examples: readonly unknown[];
  readonly default: unknown;
  readonly format: string | undefined;
  /** `Array` for a list, as TypeScript would emit it; undefined where the documentation does not tell. */
  readonly designType: unknown;
  /** Of a list. */
  readonly itemType: unknown;
  readonly values: readonly JsonPrimitive[];
}

const KEYS = {
  names: 'swagger/apiModelPropertiesArray',
  property: 'swagger/apiModelProperties',
  pluginFactory: '_OPENAPI_METADATA_FACTORY',
} as const;

/** The documented properties of a class, inherited ones included. */
export function documentedProperties(type: Type<unknown>): ReadonlyMap<string, DocumentedProperty> {
  const prototype = type.prototype as object;
  const names: unknown = Reflect.getMetadata(KEYS.names, prototype);
  const byDecorator = (Array.isArray(names) ? names : [])
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.slice(1))
    .map((name) => [name, Reflect.getMetadata(KEYS.property, prototype, name) as unknown] as const);
  const all = new Map([...pluginEntries(type), ...byDecorator]);
  return new Map(
    [...all].filter(([, stated]) => isPlainObject(stated)).map(([name, stated]) => [name, describe(stated)]),
  );
}

/** The compiler plugin gives each class a method that tells its own properties. */
function pluginEntries(type: Type<unknown>): (readonly [string, unknown])[] {
  const entries: (readonly [string, unknown])[] = [];
  for (let each: unknown = type; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    const factory = ownValue(each, KEYS.pluginFactory);
    if (typeof factory !== 'function') continue;
    const stated: unknown = (factory as () => unknown)();
    if (isPlainObject(stated)) entries.unshift(...Object.entries(stated));
  }
  return entries;
}

function describe(stated: unknown): DocumentedProperty {
  const { description, example, examples, format, items, enum: values, ...rest } = stated as Record<string, unknown>;
  const listed = isPlainObject(items) ? items : {};
  const [type, isArray] = documentedType(rest['type'], rest['isArray'] === true);
  return {
    description: typeof description === 'string' && description !== '' ? description : undefined,
    examples: documentedExamples(example, examples),
    default: rest['default'],
    format: typeof format === 'string' ? format : undefined,
    designType: isArray ? Array : type,
    itemType: type === Array ? documentedType(listed['type'], false)[0] : isArray ? type : undefined,
    values: isArray ? [] : valuesOf(values),
  };
}

const NAMED_TYPES: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['string', String],
  ['number', Number],
  ['integer', Number],
  ['boolean', Boolean],
  ['array', Array],
]);

/** A class, a list of one, a function that gives one of these, or OpenAPI's name of a type. */
export function documentedType(stated: unknown, isArray: boolean): readonly [type: unknown, isArray: boolean] {
  if (Array.isArray(stated)) return [documentedType(stated[0], false)[0], true];
  if (typeof stated !== 'function') return [NAMED_TYPES.get(stated), isArray || stated === 'array'];
  if (stated.prototype !== undefined) return [stated, isArray || stated === Array];
  try {
    return documentedType((stated as () => unknown)(), isArray);
  } catch {
    return [undefined, isArray];
  }
}

export function documentedExamples(example: unknown, examples: unknown): readonly unknown[] {
  if (example !== undefined) return [example];
  if (Array.isArray(examples)) return examples;
  return isPlainObject(examples)
    ? Object.values(examples).map((each) => (isPlainObject(each) ? each['value'] : each))
    : [];
}

function valuesOf(stated: unknown): readonly JsonPrimitive[] {
  const values = typeof stated === 'function' && stated.prototype === undefined ? (stated as () => unknown)() : stated;
  return (Array.isArray(values) ? (values as unknown[]) : enumValues(values)).filter(isJsonPrimitive);
}
