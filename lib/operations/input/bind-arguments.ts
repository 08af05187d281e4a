import { isPlainObject, ownValue, pointerSegment, setOwn } from '../../common/index.js';
import { segmentFault } from '../route/route-template.js';
import type { OperationInput, PlacedSlot } from './operation-input.js';

/** The values of a tool call, each in the one place of the request that it belongs to. */
export interface BoundArguments {
  readonly path: Readonly<Record<string, string>>;
  /** The query string's pairs, as text. */
  readonly query: readonly (readonly [string, string])[];
  /**
   * The query as the arguments have it, where text would lose something: a boolean, a number, a list of one. The
   * application's pipes get these values, so that none of them has to guess a type back.
   */
  readonly typedQuery: Readonly<Record<string, unknown>> | undefined;
  /** The JSON body; undefined where the request has none. */
  readonly body: unknown;
}

export interface BindingFault {
  /** JSON pointer into the arguments. */
  readonly pointer: string;
  readonly problem: string;
}

export type BindingResult =
  { readonly bound: BoundArguments } | { readonly faults: readonly [BindingFault, ...BindingFault[]] };

const SEGMENT_PROBLEMS = {
  empty: 'must not be empty: it is part of a path',
  dot_segment: 'must not be "." or "..": it is part of a path',
  malformed_text: 'is not well-formed text (it has a lone surrogate)',
} as const;

/** Puts checked arguments into their slots. Faults are those that only the place of a value shows. */
export function bindArguments(input: OperationInput, args: Readonly<Record<string, unknown>>): BindingResult {
  const given = input.slots
    .map((slot) => ({ slot, value: valueAt(args, slot.position) }))
    .filter(({ value }) => value !== undefined);
  const faults = given.flatMap(({ slot, value }) => slotFaults(slot, value));
  if (faults.length > 0) return { faults: faults as [BindingFault, ...BindingFault[]] };
  const path: Record<string, string> = {};
  for (const { slot, value } of given) if (slot.source === 'path') setOwn(path, slot.name, String(value));
  const inQuery = given.filter(({ slot }) => slot.source === 'query');
  const query = [...inQuery.flatMap(queryValues), ...jsonParameters(inQuery)];
  return {
    bound: { path, query: query.flatMap(queryPairs), typedQuery: typedQuery(query), body: bodyOf(input, given) },
  };
}

interface Given {
  readonly slot: PlacedSlot;
  readonly value: unknown;
}

interface QueryValue {
  readonly name: string;
  readonly value: unknown;
  readonly isText: boolean;
}

function valueAt(args: Readonly<Record<string, unknown>>, position: readonly string[]): unknown {
  const [first, second] = position as [string, string?];
  const value = ownValue(args, first);
  if (second === undefined) return value;
  return isPlainObject(value) ? ownValue(value, second) : undefined;
}

function slotFaults(slot: PlacedSlot, value: unknown): BindingFault[] {
  const pointer = slot.position.map(pointerSegment).join('');
  if (slot.source === 'path') {
    const fault = segmentFault(String(value));
    return fault === undefined ? [] : [{ pointer, problem: SEGMENT_PROBLEMS[fault] }];
  }
  if (slot.source === 'query' && !queryValues({ slot, value }).flatMap(queryPairs).flat().every(isWellFormed)) {
    return [{ pointer, problem: SEGMENT_PROBLEMS.malformed_text }];
  }
  return [];
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

function queryValues({ slot, value }: Given): QueryValue[] {
  if (slot.jsonParameter !== undefined) return [];
  if (!slot.isWhole) return [{ name: slot.name, value, isText: slot.isText }];
  return Object.entries(value as object).map(([name, inner]) => ({
    name,
    value: inner as unknown,
    isText: slot.isText,
  }));
}

/** Values that travel together: one parameter each, a JSON object. JSON escapes what is not well-formed text. */
function jsonParameters(given: readonly Given[]): QueryValue[] {
  const objects = new Map<string, object>();
  for (const { slot, value } of given) {
    if (slot.jsonParameter === undefined) continue;
    const object = objects.get(slot.jsonParameter) ?? {};
    objects.set(slot.jsonParameter, object);
    setOwn(object, slot.name, value);
  }
  return [...objects].map(([name, object]) => ({ name, value: JSON.stringify(object), isText: true }));
}

/** A list is its name repeated; objects, and lists of them, travel as JSON: a query string has no nesting of its own. */
function queryPairs({ name, value }: QueryValue): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object' && item !== null)) {
    return value.flatMap((item: unknown) => queryPairs({ name, value: item, isText: true }));
  }
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
}

function typedQuery(values: readonly QueryValue[]): Record<string, unknown> | undefined {
  if (values.every(({ value, isText }) => isText || typeof value === 'string')) return undefined;
  const typed: Record<string, unknown> = {};
  for (const each of values) setOwn(typed, each.name, each.isText ? textValue(each) : each.value);
  return typed;
}

function textValue(value: QueryValue): string | string[] | undefined {
  const texts = queryPairs(value).map(([, text]) => text);
  return texts.length > 1 ? texts : texts[0];
}

function bodyOf(input: OperationInput, given: readonly Given[]): unknown {
  if (!input.hasBody) return undefined;
  const values = given.filter(({ slot }) => slot.source === 'body');
  const whole = input.slots.find((slot) => slot.source === 'body' && slot.isWhole);
  if (whole !== undefined) return values[0]?.value;
  const body = {};
  for (const { slot, value } of values) setOwn(body, slot.name, value);
  return body;
}
