import type { JsonSchema } from '../../common/index.js';
import { exemptionOf, type Exemption } from './condition.js';
import { kindOf, type Constraint } from './constraint.js';
import { constraintSchema, withDescription } from './constraint-schema.js';
import type { DocumentedProperty } from './documented-property.js';
import { declaredKinds, describeDesignType, namedType } from './declared-type.js';
import type { NestedSchemas } from './nested-item.js';
import { openSchema, TRANSFORMED_NOTE, type Opening } from './opening.js';
import { propertyConstraint } from './property-constraint.js';
import { propertyMetadataOf, type PropertyMetadata } from './property-metadata.js';
import type { ValidationView } from './schema-context.js';

export interface PropertySchema {
  /** Of the values that a valid instance holds. */
  readonly value: JsonSchema;
  /** Of the values that the application takes in: open where it transforms them, or checks them under a condition. */
  readonly input: JsonSchema;
  readonly required: boolean;
  readonly nullable: boolean;
  /** What was left open, in words for the developer. */
  readonly gaps: readonly string[];
}

/** Reads one property. */
export function propertySchema(
  property: PropertyMetadata,
  nested: NestedSchemas,
  view: ValidationView = {},
): PropertySchema {
  const exemption = exemptionOf(property.name, property.validators);
  const bare = propertyConstraint(property, nested);
  const isNullExempt = (exemption.null && !exemption.isUnknown) || isNullSkipped(property, view);
  const constraint = isNullExempt ? withNull(bare) : bare;
  const value = withValues(constraintSchema(constraint), constraint, exemption);
  const openings = openingsOf(property, exemption);
  const mayBeAbsent = bare.acceptsUndefined || exemption.undefined || isUndefinedSkipped(property, view);
  // An exposed property that is absent is transformed nevertheless, and the transformation may fill it in.
  const mayBeFilled = property.isTransformedOnInput && property.isExposedToInput;
  const input =
    openings.length > 0
      ? openedSchema(property, exemption, value, openings)
      : withMeaning(value, meantSchema(property, value, nested));
  return {
    value: documentedSchema(value, property.documented),
    input: documentedSchema(input, property.documented),
    required: !mayBeAbsent && !mayBeFilled,
    nullable: exemption.isUnknown || acceptsNull(constraint),
    gaps: gapsOf(constraint, openings, value),
  };
}

function gapsOf(constraint: Constraint, openings: readonly Opening[], value: JsonSchema): readonly string[] {
  const gaps = [...constraint.gaps, ...openings.map((opening) => opening.gap)];
  if (gaps.length > 0) return gaps;
  if (isOpen(value)) return ['has neither a validator nor a type that tells what it holds: left open'];
  return isOpen(value.items) ? ['has no validator with `each` that tells what its items are: left open'] : [];
}

function isOpen(schema: JsonSchema | boolean | undefined): boolean {
  return typeof schema === 'object' && Object.keys(schema).length === 0;
}

/** A transformation gets what `@Type()` has converted: its kind is known where TypeScript declares it as well. */
function openedSchema(
  property: PropertyMetadata,
  exemption: Exemption,
  { type, ...value }: JsonSchema,
  openings: readonly Opening[],
): JsonSchema {
  const named = namedType(property);
  const [kind, ...others] = declaredKinds(property.designType) ?? [];
  const isKept = !exemption.isUnknown && named?.is === 'scalar' && named.kind === kind && others.length === 0;
  if (type === undefined || !isKept) return openSchema({ ...(type !== undefined && { type }), ...value }, openings);
  return { type, ...openSchema(value, openings) };
}

/** What a value is meant to be where nothing checks what it holds: the class that a type or the documentation names. */
function meantSchema(property: PropertyMetadata, value: JsonSchema, nested: NestedSchemas): JsonSchema | undefined {
  if (!isOpen(value) && !isOpen(value.items) && !isBareObject(value)) return undefined;
  const { designType, documented } = property;
  const stated = [documented?.itemType, documented?.designType, designType].map(describeDesignType);
  const meant = [namedType(property), ...stated].find((each) => each?.is === 'class');
  if (meant?.is !== 'class' || propertyMetadataOf(meant.type).length === 0) return undefined;
  const isList = designType === Array || documented?.itemType !== undefined;
  return isList ? { type: 'array', items: nested.ofClass(meant.type) } : nested.ofClass(meant.type);
}

function withMeaning(value: JsonSchema, meant: JsonSchema | undefined): JsonSchema {
  if (meant === undefined) return value;
  const note = 'The application does not check what it holds; it is meant to fit';
  return withDescription(value, [`${note} ${JSON.stringify(meant)}.`]);
}

function isBareObject({ type, ...others }: JsonSchema): boolean {
  return [type].flat().every((each) => each === 'object' || each === 'null') && Object.keys(others).length === 0;
}

function openingsOf(property: PropertyMetadata, exemption: Exemption): Opening[] {
  const openings: Opening[] = [];
  if (property.isTransformedOnInput) {
    openings.push({
      note: TRANSFORMED_NOTE,
      gap: 'is transformed by @Transform() before it is checked: left open',
    });
  }
  if (exemption.isUnknown) {
    openings.push({
      note: 'Checked under a condition of the application; then it must fit',
      gap: 'is checked under a condition (@ValidateIf) that more than its own value decides: left open',
    });
  }
  return openings;
}

function documentedSchema(schema: JsonSchema, documented: DocumentedProperty | undefined): JsonSchema {
  if (documented === undefined) return schema;
  const { description, ...keywords } = schema;
  const described = documented.description === undefined ? {} : { description: documented.description };
  return {
    ...withDescription({ ...keywords, ...described }, description === undefined ? [] : [description]),
    ...(documented.default !== undefined && { default: documented.default }),
    ...(documented.examples.length > 0 && { examples: [...documented.examples] }),
  };
}

function withNull(constraint: Constraint): Constraint {
  return {
    ...constraint,
    kinds: constraint.kinds.includes('null') ? constraint.kinds : [...constraint.kinds, 'null'],
    ...(constraint.values && { values: [...constraint.values, null] }),
    ...(constraint.refused && { refused: constraint.refused.filter((value) => value !== null) }),
  };
}

function acceptsNull(constraint: Constraint): boolean {
  if (!constraint.kinds.includes('null') || constraint.refused?.includes(null)) return false;
  return constraint.values?.includes(null) ?? true;
}

/** Adds values that a condition exempts, those of the kinds that the property has. */
function withValues(schema: JsonSchema, constraint: Constraint, exemption: Exemption): JsonSchema {
  const values = exemption.values.filter((value) => constraint.kinds.includes(kindOf(value)));
  if (values.length === 0 || exemption.isUnknown || Object.keys(schema).length === 0) return schema;
  const { description, ...rest } = schema;
  const union: JsonSchema = { anyOf: [...(isBareUnion(rest) ? (rest.anyOf ?? []) : [rest]), { enum: values }] };
  return description === undefined ? union : { ...union, description };
}

function isBareUnion(schema: JsonSchema): boolean {
  return schema.anyOf !== undefined && Object.keys(schema).length === 1;
}

function isUndefinedSkipped(property: PropertyMetadata, view: ValidationView): boolean {
  return Boolean(view.skipUndefinedProperties || view.skipMissingProperties) && !isMarkedDefined(property);
}

function isNullSkipped(property: PropertyMetadata, view: ValidationView): boolean {
  return Boolean(view.skipNullProperties || view.skipMissingProperties) && !isMarkedDefined(property);
}

function isMarkedDefined(property: PropertyMetadata): boolean {
  return property.validators.some((validator) => validator.type === 'isDefined');
}
