import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../common/index.js';
import type { ParameterMetadata } from '../../internal/nest.js';
import {
  classOfParameter,
  expectedTypeOf,
  readClassProperties,
  referenceToClass,
  schemaOfClass,
  schemaOfParameter,
  validationViewOf,
  type DocumentedOperation,
  type SchemaContext,
} from '../schema/index.js';
import type { DeclaredInput } from './declared-input.js';
import { documentSlots } from './documented-slots.js';
import type { InputSlot, InputSlots, SlotSource } from './input-slot.js';
import { standardSlots } from './standard-slots.js';

export interface SlotOptions {
  readonly parameters: readonly ParameterMetadata[];
  /** The pipes that run before those of the parameters, in that order. */
  readonly pipes: readonly unknown[];
  readonly declared: ReadonlyMap<number, DeclaredInput>;
  /** Path parameters of the route, also those that no parameter of the method reads. */
  readonly pathParameters: readonly string[];
  /** What `@nestjs/swagger` was told of the method. */
  readonly documented: DocumentedOperation;
  /** `NotesController.list`. */
  readonly at: string;
  readonly context: SchemaContext;
}

/** Takes the parameters of a method apart into the values that a tool call supplies. */
export function readSlots(options: SlotOptions): InputSlots {
  const slots = new Map<string, InputSlot>();
  const wholes = new Map<SlotSource, InputSlot>();
  // Two parameters may read one value (`@Param()` and `@Param('id', ParseIntPipe)`): one that says something is kept.
  const add = (slot: InputSlot): void => {
    const key = `${slot.source} ${slot.name}`;
    const known = slots.get(key);
    if (known === undefined || known.schema === ANY_TEXT) slots.set(key, slot);
  };
  for (const parameter of options.parameters) {
    const declared = options.declared.get(parameter.index);
    const read = declared ? declaredSlots(declared, options.context) : parameterSlots(parameter, options);
    if (Array.isArray(read)) read.forEach(add);
    else wholes.set(read.source, read);
  }
  for (const name of options.pathParameters) if (!slots.has(`path ${name}`)) add(textSlot('path', name));
  const read: InputSlots = {
    slots: [...slots.values()].filter((slot) => !wholes.has(slot.source)),
    wholes: [...wholes.values()],
    declared: options.declared,
  };
  return documentSlots(read, options.documented, options.parameters);
}

/** The values that one parameter reads, or the whole source where it reads that as one value. */
function parameterSlots(parameter: ParameterMetadata, options: SlotOptions): InputSlot[] | InputSlot {
  const { source } = parameter;
  if (source !== 'path' && source !== 'query' && source !== 'body') return [];
  const { pipes, context } = options;
  const at = parameterPlace(parameter, options);
  const described = standardSlots({ source, parameter, pipes, isMain: isMain(parameter, options), at, context });
  if (described !== undefined) return source === 'path' ? describedPathSlots(described, options) : described;
  const all = [...pipes, ...parameter.pipes];
  const designType = expectedTypeOf(all, source) ?? parameter.designType;
  const isClass = classOfParameter(designType).type !== undefined;
  const view = isClass ? validationViewOf(all, (why) => context.report(at, why)) : {};
  const typed = { ...parameter, designType };
  const scoped = { ...options, context: context.viewedBy(view) };
  if (source === 'path') return pathSlots(typed, scoped);
  return source === 'query' ? querySlots(typed, scoped) : bodySlots(typed, scoped);
}

/** A pipe of a method is meant for the body, or for the one value there is. */
function isMain({ source, key }: ParameterMetadata, { parameters }: SlotOptions): boolean {
  const wholes = parameters.filter((each) => each.key === undefined && ['path', 'query', 'body'].includes(each.source));
  return key === undefined && (source === 'body' || wholes.length === 1);
}

/** Of a path, names are known apart from any schema: one that is not an object of them says nothing. */
function describedPathSlots(described: InputSlot[] | InputSlot, { pathParameters }: SlotOptions): InputSlot[] {
  const named = Array.isArray(described) ? described : [];
  return named.filter(({ name }) => pathParameters.includes(name)).map(openAsText);
}

function openAsText(slot: InputSlot): InputSlot {
  return Object.keys(slot.schema).length === 0 ? textSlot(slot.source, slot.name) : slot;
}

function declaredSlots(declared: DeclaredInput, context: SchemaContext): InputSlot[] {
  const schema = declared.schema(context);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    source: declared.source,
    name,
    schema: property,
    required: schema.required?.includes(name) ?? false,
    checked: {},
    isText: false,
    ...(declared.encoding && { jsonParameter: declared.encoding.name }),
    isDeclared: true,
  }));
}

function pathSlots(parameter: ParameterMetadata, options: SlotOptions): InputSlot[] {
  if (parameter.key !== undefined) return [scalarSlot('path', parameter.key, parameter, options)];
  const { type } = classOfParameter(parameter.designType);
  if (type === undefined) return options.pathParameters.map((name) => textSlot('path', name));
  return classSlots('path', type, options).filter((slot) => options.pathParameters.includes(slot.name));
}

function querySlots(parameter: ParameterMetadata, options: SlotOptions): InputSlot[] | InputSlot {
  if (parameter.key !== undefined) return [scalarSlot('query', parameter.key, parameter, options)];
  const { type } = classOfParameter(parameter.designType);
  if (type !== undefined) return classSlots('query', type, options);
  options.context.report(parameterPlace(parameter, options), 'no class declares the query string: it is left open');
  const schema: JsonSchema = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
  return { source: 'query', name: 'query', schema, required: false, checked: schema, isText: true };
}

function bodySlots(parameter: ParameterMetadata, options: SlotOptions): InputSlot[] | InputSlot {
  if (parameter.key !== undefined) return [scalarSlot('body', parameter.key, parameter, options)];
  const { type } = classOfParameter(parameter.designType);
  if (type !== undefined) return classSlots('body', type, options);
  const at = parameterPlace(parameter, options);
  const documented =
    parameter.pipes.length === 0 ? documentedBody(parameter.designType, options.documented) : undefined;
  if (documented !== undefined) {
    options.context.report(at, 'nothing is validated of its type: it is told as @ApiBody() documents it');
    if (!documented.isArray) return classSlots('body', documented.type, options);
  }
  const { schema, required } = schemaOfParameter(
    { designType: documented ? Array : parameter.designType, pipes: parameter.pipes, at },
    options.context,
  );
  const told = documented ? { ...schema, items: referenceToClass(documented.type, options.context) } : schema;
  return { source: 'body', name: 'body', schema: told, required, checked: told, isText: false };
}

/** The class that documents what the compiler erased, or what a list holds. */
function documentedBody(
  designType: unknown,
  { body }: DocumentedOperation,
): { readonly type: Type; readonly isArray: boolean } | undefined {
  const { type } = classOfParameter(body?.type);
  const isArray = body?.isArray ?? false;
  const isFitting = classOfParameter(designType).kind === 'erased' || (isArray && designType === Array);
  return type !== undefined && isFitting ? { type, isArray } : undefined;
}

function classSlots(source: SlotSource, type: Type, options: SlotOptions): InputSlot[] {
  const schema = schemaOfClass(type, options.context);
  // A body carries JSON, so that nothing of it is text.
  const properties = source === 'query' ? readClassProperties(type) : [];
  const transformed = new Set(
    properties.filter((property) => property.isTransformed).map((property) => property.inputName),
  );
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    source,
    name,
    schema: property,
    required: schema.required?.includes(name) ?? false,
    checked: property,
    isText: source === 'path' || transformed.has(name),
  }));
}

function scalarSlot(source: SlotSource, name: string, parameter: ParameterMetadata, options: SlotOptions): InputSlot {
  const at = parameterPlace(parameter, options);
  // A part of a path is text, whatever the compiler left of its type.
  const isPlainText = source === 'path' && parameter.pipes.length === 0;
  if (isPlainText && classOfParameter(parameter.designType).kind === 'erased') return textSlot(source, name);
  const { schema, required, hasUnknownPipe } = schemaOfParameter(
    { designType: parameter.designType, pipes: parameter.pipes, at },
    options.context,
  );
  const isOpen = Object.keys(schema).length === 0;
  if (source === 'path' && isOpen) return { ...textSlot(source, name), isText: true };
  const isText = source === 'path' || (source === 'query' && (hasUnknownPipe || isOpen));
  return { source, name, schema, required: required || source === 'path', checked: schema, isText };
}

const ANY_TEXT: JsonSchema = { type: ['string', 'number'] };

/** A value of which only the request path knows: any text, or a number as its text. */
function textSlot(source: SlotSource, name: string): InputSlot {
  return { source, name, schema: ANY_TEXT, required: true, checked: ANY_TEXT, isText: true };
}

function parameterPlace(parameter: ParameterMetadata, options: SlotOptions): string {
  return `${options.at}, parameter ${parameter.index}`;
}
