import {
  ANYTHING,
  ANYTHING_DEFINED,
  both,
  kindOf,
  narrowTo,
  only,
  type Constraint,
  type JsonKind,
} from './constraint.js';
import { constraintSchema } from './constraint-schema.js';
import { declaredKinds, describeDesignType, namedType, type NamedType } from './declared-type.js';
import { nestedItem, type NestedSchemas } from './nested-item.js';
import { hasValidators, type PropertyMetadata, type ValidatorMetadata } from './property-metadata.js';
import { DATE_FORMATS, VALIDATOR_RULES } from './validators/index.js';

/** What the validators of a property let through, read together with its types. Conditions are left aside. */
export function propertyConstraint(property: PropertyMetadata, nested: NestedSchemas): Constraint {
  const named = namedType(property);
  const item = property.validators.some(isNested) ? nestedItem(property, named, nested) : undefined;
  const constraints = property.validators.filter(isRule).map((each) => ruleConstraint(each, named));
  if (property.designType === Map && named !== undefined) return mapConstraint(constraints, item, named);
  if (item !== undefined) constraints.push(nestedConstraint(item));
  const together = constraints.map(({ constraint, each }) => (each ? eachOf(constraint) : constraint));
  return narrowed(property, named, together.reduce(both, ANYTHING));
}

interface RuleConstraint {
  readonly constraint: Constraint;
  /** Holds for each item of an array, or for the value where it is no array. */
  readonly each: boolean;
}

function isNested(validator: ValidatorMetadata): boolean {
  return validator.type === 'nestedValidation';
}

function isRule(validator: ValidatorMetadata): boolean {
  return validator.type === 'customValidation' || validator.type === 'isDefined';
}

function ruleConstraint(validator: ValidatorMetadata, named: NamedType | undefined): RuleConstraint {
  const each = validator.each === true;
  const name = validator.name ?? (validator.constraintCls as { name?: string } | undefined)?.name ?? 'unnamed';
  if (validator.validateIf !== undefined) {
    return { each, constraint: withGap(`is checked by "${name}" under a condition, which the schema cannot tell`) };
  }
  const constraint = Object.hasOwn(VALIDATOR_RULES, name)
    ? VALIDATOR_RULES[name]?.(validator.constraints ?? [])
    : withGap(`is checked by the custom validator "${name}", which the schema cannot tell`);
  return { each, constraint: withInstanceGap(constraint ?? ANYTHING, name, named) };
}

function withGap(gap: string): Constraint {
  return { ...ANYTHING, gaps: [gap] };
}

/** JSON has no instances: it takes `@Type()` to make one. */
function withInstanceGap(constraint: Constraint, name: string, named: NamedType | undefined): Constraint {
  if (name !== 'isDate' && name !== 'isInstance') return constraint;
  if (name === 'isDate' ? named?.is === 'date' : named !== undefined) return constraint;
  const gap = `is checked by ${name}, which no JSON value passes as it is: add @Type()`;
  return { ...constraint, gaps: [...constraint.gaps, gap] };
}

/** The validator looks at each item of an array, and at the value itself where it is no array. */
function eachOf(constraint: Constraint): Constraint {
  const { array: _array, ...keywords } = constraint.keywords;
  const kinds = constraint.kinds.filter((kind) => kind !== 'array');
  return { ...constraint, kinds: [...kinds, 'array'], keywords, items: constraint };
}

/** An array is looked into whether or not the decorator says `each`. */
function nestedConstraint(item: Constraint): RuleConstraint {
  const isKnown = item.keywords.object !== undefined;
  return {
    each: false,
    constraint: {
      ...item,
      kinds: ['object', 'array'],
      acceptsUndefined: true,
      items: isKnown ? item : ANYTHING,
    },
  };
}

/** `@Type()` makes a Map of an object, and each of its values is looked at. */
function mapConstraint(rules: readonly RuleConstraint[], item: Constraint | undefined, named: NamedType): Constraint {
  const ofValues = rules.filter((rule) => rule.each).map((rule) => rule.constraint);
  const value = [...ofValues, ...(item ? [item] : [])].reduce(both, ANYTHING);
  const ofMap = rules.filter((rule) => !rule.each).map((rule) => rule.constraint);
  const isDefined = ofMap.some((constraint) => !constraint.acceptsUndefined);
  const converted = convert(value, named, false);
  return {
    ...(isDefined || ofValues.some((each) => !each.acceptsUndefined) ? ANYTHING_DEFINED : ANYTHING),
    kinds: ['object'],
    keywords: { object: { additionalProperties: constraintSchema(converted) } },
    gaps: [...value.gaps, ...ofMap.flatMap((constraint) => constraint.gaps)],
  };
}

function narrowed(property: PropertyMetadata, named: NamedType | undefined, constraint: Constraint): Constraint {
  const converted = named === undefined ? constraint : convert(constraint, named, true);
  const declared = declaredKinds(property.designType) ?? objectKinds(property, named);
  const narrow = declared === undefined ? converted : narrowTo(converted, [...declared, 'null']);
  const dated = property.designType === Date ? withDates(narrow) : narrow;
  const documented = withDocumentation(property, withDocumentedValues(property, dated));
  return named?.is === 'date' ? withoutUnique(documented) : withComparableItems(documented);
}

/** Documentation fills in what neither validators nor types tell; it narrows nothing that a validator lets through. */
function withDocumentation({ documented }: PropertyMetadata, constraint: Constraint): Constraint {
  if (documented === undefined) return constraint;
  const { format, itemType } = documented;
  const item = describeDesignType(itemType);
  const isTold = constraint.items !== undefined || !constraint.kinds.includes('array');
  const isText =
    constraint.kinds.includes('string') && constraint.formats === undefined && constraint.values === undefined;
  return {
    ...constraint,
    ...(format !== undefined && isText && { formats: [format] }),
    ...(item?.is === 'scalar' && !isTold && { items: only(item.kind) }),
  };
}

/** Items are compared by identity: what two equal scalars share, no two objects of a JSON document do. */
function withComparableItems(constraint: Constraint): Constraint {
  const isComparable = constraint.items?.kinds.every((kind) => kind !== 'object' && kind !== 'array') ?? false;
  return isComparable ? constraint : withoutUnique(constraint);
}

function withoutUnique(constraint: Constraint): Constraint {
  const { uniqueItems, ...array } = constraint.keywords.array ?? {};
  if (uniqueItems === undefined) return constraint;
  const gaps = [...constraint.gaps, 'must hold no item twice, which JSON Schema asks of more than the validator does'];
  return { ...constraint, keywords: { ...constraint.keywords, array }, gaps };
}

function withDocumentedValues({ documented, validators }: PropertyMetadata, constraint: Constraint): Constraint {
  const isChecked = validators.some((validator) => isRule(validator) || isNested(validator));
  if (documented === undefined || documented.values.length === 0 || isChecked) return constraint;
  const values = [...documented.values, null];
  return both(constraint, { ...ANYTHING, kinds: [...new Set(values.map(kindOf))], values });
}

/** Where no type was emitted, `each` speaks of a list; a class that is looked into is an object, unless `each` says more. */
function objectKinds(property: PropertyMetadata, named: NamedType | undefined): readonly JsonKind[] | undefined {
  const isEach = property.validators.some((validator) => validator.each === true);
  if (isEach && property.designType === undefined) return ['array'];
  const isLookedInto = property.validators.some(isNested);
  const declared = describeDesignType(property.designType);
  if (declared?.is !== 'class') return isLookedInto && !isEach ? ['object'] : undefined;
  return isLookedInto || named?.is === 'class' || hasValidators(declared.type) ? ['object'] : undefined;
}

/** `@Type()` converts a value, and each item of an array: what comes out is what the schema asks for. */
function convert(constraint: Constraint, named: NamedType, isNullKept: boolean): Constraint {
  if (named.is !== 'scalar' && named.is !== 'date') return constraint;
  const kind = named.is === 'date' ? 'string' : named.kind;
  const dated = (each: Constraint): Constraint => (named.is === 'date' ? withDates(each) : each);
  const items = constraint.kinds.includes('array')
    ? { items: dated(narrowTo(constraint.items ?? ANYTHING, [kind])) }
    : {};
  const kinds: JsonKind[] = isNullKept ? [kind, 'array', 'null'] : [kind];
  return { ...dated(narrowTo(constraint, kinds)), ...items };
}

function withDates(constraint: Constraint): Constraint {
  if (!constraint.kinds.includes('string') || constraint.formats !== undefined) return constraint;
  return constraint.values === undefined ? { ...constraint, formats: DATE_FORMATS } : constraint;
}
