import type { JsonSchema } from '../../common/index.js';
import type { ParameterMetadata } from '../../internal/nest.js';
import type { DocumentedOperation, DocumentedParameter } from '../schema/index.js';
import type { InputSlot, InputSlots } from './input-slot.js';

/**
 * Adds what the application documents of its parameters: descriptions; names and types of a query that no class declares;
 * query parameters that a decorator of the application reads, which nothing else tells of.
 */
export function documentSlots(
  read: InputSlots,
  { parameters, body }: DocumentedOperation,
  decorated: readonly ParameterMetadata[],
): InputSlots {
  if (parameters.length === 0 && body === undefined) return read;
  const query = parameters.filter(({ source, schema }) => source === 'query' && schema !== undefined);
  const slots = read.slots.map((slot) => describeSlot(slot, parameters));
  const wholes = read.wholes.map((slot) => describeWhole(slot, query, body?.description));
  return { ...read, slots: [...slots, ...unreadSlots(slots, wholes, query, decorated)], wholes };
}

function describeSlot(slot: InputSlot, parameters: readonly DocumentedParameter[]): InputSlot {
  const documented = parameters.find(({ source, name }) => source === slot.source && name === slot.name);
  return describe(slot, documented?.description);
}

function describeWhole(slot: InputSlot, query: readonly DocumentedParameter[], ofBody: string | undefined): InputSlot {
  if (slot.source === 'body') return describe(slot, ofBody);
  const isOpen = slot.source === 'query' && slot.schema.properties === undefined && slot.schema.anyOf === undefined;
  if (!isOpen || query.length === 0) return slot;
  const properties = Object.fromEntries(query.map((each) => [each.name, schemaOf(each)]));
  return { ...slot, schema: { ...slot.schema, properties } };
}

/** Nothing is known of who reads them, nor of what is refused: they are told, and not checked. */
function unreadSlots(
  slots: readonly InputSlot[],
  wholes: readonly InputSlot[],
  query: readonly DocumentedParameter[],
  decorated: readonly ParameterMetadata[],
): InputSlot[] {
  const hasReader = decorated.some(({ source }) => source === 'custom' || source === 'request');
  const isWholeRead = decorated.some(({ source, key }) => source === 'query' && key === undefined);
  if (!hasReader || isWholeRead || wholes.some(({ source }) => source === 'query')) return [];
  const unread = query.filter(({ name }) => !slots.some((slot) => slot.source === 'query' && slot.name === name));
  return unread.map((each) => ({
    source: 'query',
    name: each.name,
    schema: schemaOf(each),
    required: false,
    checked: {},
    isText: true,
  }));
}

function schemaOf({ schema = {}, description }: DocumentedParameter): JsonSchema {
  return { ...schema, ...(description !== undefined && { description }) };
}

function describe(slot: InputSlot, description: string | undefined): InputSlot {
  if (description === undefined || slot.schema.description !== undefined) return slot;
  return { ...slot, schema: { ...slot.schema, description } };
}
