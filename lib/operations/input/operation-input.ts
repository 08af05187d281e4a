import { deepFreeze, setOwn, type JsonSchema } from '../../common/index.js';
import type { SchemaContext, SchemaGap } from '../schema/index.js';
import type { DeclaredInput } from './declared-input.js';
import type { InputSlot, InputSlots, SlotSource } from './input-slot.js';

/** The input of an operation: one JSON object, whose keys lie flat unless two sources share one. */
export interface OperationInput {
  /** What a model is told: one closed JSON Schema document. */
  readonly schema: JsonSchema;
  /** What arguments are checked against before a request is built. */
  readonly checkedSchema: JsonSchema;
  readonly slots: readonly PlacedSlot[];
  readonly declared: ReadonlyMap<number, DeclaredInput>;
  readonly hasBody: boolean;
  /** What the schema leaves open, for the boot report. */
  readonly gaps: readonly SchemaGap[];
}

/** A slot, and where in the arguments its value stands. */
export interface PlacedSlot extends InputSlot {
  /** `['id']`, or `['path', 'id']` where sources collide. */
  readonly position: readonly [string] | readonly [SlotSource, string];
  /** The value is the whole body or the whole query string. */
  readonly isWhole: boolean;
}

/** Lays the slots of an operation out in one object. */
export function operationInput(read: InputSlots, context: SchemaContext): OperationInput {
  const nested = nestedSources(read);
  const slots: PlacedSlot[] = [
    ...read.slots.map((slot): PlacedSlot => ({
      ...slot,
      position: nested.has(slot.source) ? [slot.source, slot.name] : [slot.name],
      isWhole: false,
    })),
    ...read.wholes.map((slot): PlacedSlot => ({ ...slot, position: [slot.name], isWhole: true })),
  ];
  const schema = inputDocument(slots, 'schema', context.definitions);
  const isToldAsChecked = slots.every((slot) => slot.checked === slot.schema);
  return deepFreeze({
    schema,
    checkedSchema: isToldAsChecked ? schema : inputDocument(slots, 'checked', context.definitions),
    slots,
    declared: read.declared,
    hasBody: slots.some((slot) => slot.source === 'body'),
    gaps: [...context.gaps],
  });
}

/**
 * The advertised schema with the declared inputs said otherwise: a palette narrows what a model is told of a query policy. A
 * property that `declared` leaves out is not offered, and neither is a definition that nothing refers to any more: both
 * would tell what was narrowed away.
 */
export function inputSchemaWith(
  input: OperationInput,
  declared: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const { properties = {}, required = [] } = declared;
  const slots = input.slots.flatMap((slot): PlacedSlot[] => {
    if (!slot.isDeclared) return [slot];
    const schema = Object.hasOwn(properties, slot.name) ? properties[slot.name] : undefined;
    return schema === undefined ? [] : [{ ...slot, schema, required: required.includes(slot.name) }];
  });
  const document = inputDocument(slots, 'schema', {});
  const used = referencedDefinitions(document, { ...input.schema.$defs, ...definitions });
  return Object.keys(used).length > 0 ? { ...document, $defs: used } : document;
}

function referencedDefinitions(
  document: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const used: Record<string, JsonSchema> = {};
  const visit = (schema: JsonSchema): void => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      const definition = name === undefined ? undefined : definitions[name];
      if (name === undefined || definition === undefined || Object.hasOwn(used, name)) continue;
      used[name] = definition;
      visit(definition);
    }
  };
  visit(document);
  return used;
}

function inputDocument(
  slots: readonly PlacedSlot[],
  which: 'schema' | 'checked',
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const document = emptyObject();
  for (const slot of slots) {
    const [first, second] = slot.position;
    if (second === undefined) addProperty(document, first, slot[which], slot.required);
    else {
      const source = (document.properties?.[first] as JsonSchema | undefined) ?? emptyObject();
      addProperty(source, second, slot[which], slot.required);
      addProperty(document, first, source, (source.required?.length ?? 0) > 0);
    }
  }
  return Object.keys(definitions).length > 0 ? { ...document, $defs: { ...definitions } } : document;
}

function emptyObject(): JsonSchema {
  return { type: 'object', properties: {}, additionalProperties: false };
}

function addProperty(object: JsonSchema, name: string, schema: JsonSchema, isRequired: boolean): void {
  setOwn(object.properties ?? {}, name, schema);
  if (isRequired && !object.required?.includes(name)) object.required = [...(object.required ?? []), name];
}

/** Sources that share a name are nested, and so is a source one of whose names stands where a nested one would. */
function nestedSources(read: InputSlots): ReadonlySet<SlotSource> {
  const nested = new Set<SlotSource>();
  const taken = (): Set<string> => new Set([...nested, ...read.wholes.map((slot) => slot.name)]);
  for (let isSettled = false; !isSettled;) {
    const flat = read.slots.filter((slot) => !nested.has(slot.source));
    const colliding = flat.filter(
      (slot) =>
        taken().has(slot.name) || flat.some((other) => other.name === slot.name && other.source !== slot.source),
    );
    colliding.forEach((slot) => nested.add(slot.source));
    isSettled = colliding.length === 0;
  }
  return nested;
}
