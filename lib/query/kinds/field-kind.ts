/** What the language knows of a field's values: which operators they have, how they travel, compare and sort. */
export type FieldKind =
  'string' | 'uuid' | 'enum' | 'int' | 'bigint' | 'number' | 'decimal' | 'boolean' | 'date' | 'datetime';

export const FIELD_KINDS: readonly FieldKind[] = Object.freeze([
  'string',
  'uuid',
  'enum',
  'int',
  'bigint',
  'number',
  'decimal',
  'boolean',
  'date',
  'datetime',
]);

export type EnumValue = string | number;

/** A field of a read model, as the plan carries it: made by the policy, never from what a caller sent. */
export interface QueryField<Name extends string = string> {
  readonly name: Name;
  readonly kind: FieldKind;
  /** The values of an `enum`; empty for every other kind. */
  readonly enumValues: readonly EnumValue[];
}

/** True for an enum whose values are all numbers: it compares and sorts as numbers do. */
export function isNumericEnum(field: QueryField): boolean {
  const { kind, enumValues } = field;
  return kind === 'enum' && enumValues.length > 0 && enumValues.every((value) => typeof value === 'number');
}
