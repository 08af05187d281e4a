import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import {
  transformerPropertiesOf,
  transformerStorage,
  type DirectionOptions,
  type TypeEntry,
} from '../../internal/class-transformer.js';
import { ofClass } from './metadata-memory.js';
import { documentedProperties, type DocumentedProperty } from './documented-property.js';
import type { ValidationView } from './schema-context.js';

export type ValidatorMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** What the decorators say of one property of a class. */
export interface PropertyMetadata {
  readonly owner: Type<unknown>;
  readonly name: string;
  /** The key in the JSON that the class is made from; undefined where no key reaches the property. */
  readonly inputName: string | undefined;
  /** The emitted TypeScript type; undefined where none was emitted. */
  readonly designType: unknown;
  readonly validators: readonly ValidatorMetadata[];
  readonly typeEntry: TypeEntry | undefined;
  readonly documented: DocumentedProperty | undefined;
  /** An absent key is set to undefined nevertheless: it overwrites the initializer. */
  readonly isExposedToInput: boolean;
  readonly isTransformedOnInput: boolean;
  readonly isTransformed: boolean;
  /** Never part of what the application answers. */
  readonly isExcludedFromOutput: boolean;
}

/** The properties of a class, those of its ancestors first, each class in the order of declaration. */
export function propertyMetadataOf(type: Type<unknown>, view: ValidationView = {}): PropertyMetadata[] {
  return ofClass(`properties ${JSON.stringify(view)}`, type, () => readProperties(type, view));
}

function readProperties(type: Type<unknown>, view: ValidationView): PropertyMetadata[] {
  const validators = validatorsByProperty(type, view);
  // A property whose validators stand in other groups is a property nevertheless.
  const known = view.groups || view.strictGroups ? validatorsByProperty(type, {}) : validators;
  const documented = documentedProperties(type);
  const names = [
    ...ancestorsOf(type).flatMap(declaredNames),
    ...known.keys(),
    ...transformerPropertiesOf(type),
    ...documented.keys(),
  ];
  return [...new Set(names)]
    .filter((name) => name !== '__proto__')
    .map((name) => describe(type, name, validators.get(name) ?? [], documented.get(name)));
}

function declaredNames(type: Type<unknown>): string[] {
  return [...validatorsByProperty(type, {}).keys(), ...transformerPropertiesOf(type)];
}

/** Whether class-validator finds a rule for instances of the class. */
export function hasValidators(type: Type<unknown>): boolean {
  const find = () => getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return ofClass('validators', type, () => find().length > 0);
}

function validatorsByProperty(type: Type<unknown>, view: ValidationView): Map<string, ValidatorMetadata[]> {
  const groups = view.groups === undefined ? undefined : [...view.groups];
  const found = getMetadataStorage().getTargetValidationMetadatas(
    type,
    '',
    view.always ?? false,
    view.strictGroups ?? false,
    groups,
  );
  const byProperty = new Map<string, ValidatorMetadata[]>();
  for (const each of found) {
    if (typeof each.propertyName !== 'string') continue;
    byProperty.set(each.propertyName, [...(byProperty.get(each.propertyName) ?? []), each]);
  }
  return byProperty;
}

/** From the root to the parent. */
function ancestorsOf(type: Type<unknown>): Type<unknown>[] {
  const ancestors: Type<unknown>[] = [];
  for (let each: unknown = Object.getPrototypeOf(type); isClass(each); each = Object.getPrototypeOf(each)) {
    ancestors.unshift(each);
  }
  return ancestors;
}

function isClass(value: unknown): value is Type<unknown> {
  return typeof value === 'function' && value !== Function.prototype && typeof value.prototype === 'object';
}

function describe(
  owner: Type<unknown>,
  name: string,
  validators: readonly ValidatorMetadata[],
  documented: DocumentedProperty | undefined,
): PropertyMetadata {
  const typeEntry = transformerStorage.findTypeMetadata(owner, name);
  const exposed = transformerStorage.findExposeMetadata(owner, name);
  const transforms = transformerStorage.findTransformMetadatas(owner, name, TO_CLASS);
  const isExposedToInput = exposed !== undefined && bearsOn(exposed.options, TO_CLASS);
  return {
    owner,
    name,
    inputName: inputNameOf(owner, name),
    designType: declaredType(designTypeOf(owner, name) ?? typeEntry?.reflectedType, validators, documented),
    validators,
    typeEntry,
    documented,
    isExposedToInput,
    isTransformedOnInput: transforms.some((each) => !each.options?.groups?.length),
    isTransformed: transforms.length > 0 || transformerStorage.findTransformMetadatas(owner, name, TO_PLAIN).length > 0,
    isExcludedFromOutput: isExcluded(owner, name, TO_PLAIN),
  };
}

const TO_CLASS = 0;
const TO_PLAIN = 1;
type Direction = typeof TO_CLASS | typeof TO_PLAIN;

function designTypeOf(owner: Type<unknown>, name: string): unknown {
  return Reflect.getMetadata('design:type', owner.prototype as object, name);
}

/** `Object` is what the compiler leaves of `string | null`: the documentation may tell the half that it had in mind. */
function declaredType(
  emitted: unknown,
  validators: readonly ValidatorMetadata[],
  documented: DocumentedProperty | undefined,
): unknown {
  if (emitted === undefined) return documented?.designType;
  const isElsewhere = validators.some(({ each, type }) => each === true || type === 'nestedValidation');
  const isErased = emitted === Object && !isElsewhere;
  const isScalar = [String, Number, Boolean].some((type) => type === documented?.designType);
  return isErased && isScalar ? documented?.designType : emitted;
}

/** class-transformer takes an option of both directions for one of either. */
function bearsOn(options: DirectionOptions | undefined, direction: Direction): boolean {
  if (options?.toClassOnly && options.toPlainOnly) return true;
  if (options?.toClassOnly) return direction === TO_CLASS;
  return options?.toPlainOnly ? direction === TO_PLAIN : true;
}

function inputNameOf(owner: Type<unknown>, name: string): string | undefined {
  if (name === 'constructor' || isReadOnly(owner, name) || isExcluded(owner, name, TO_CLASS)) return undefined;
  const exposed = transformerStorage.findExposeMetadata(owner, name);
  if (exposed === undefined) return name;
  const otherName = bearsOn(exposed.options, TO_CLASS) ? exposed.options?.name : undefined;
  if (otherName !== undefined) return otherName;
  // Without a group in the pipe's options, class-transformer drops the keys of properties that are exposed to groups.
  return exposed.options?.groups?.length ? undefined : name;
}

function isExcluded(owner: Type<unknown>, name: string, direction: Direction): boolean {
  const excluded = transformerStorage.findExcludeMetadata(owner, name);
  if (excluded !== undefined && bearsOn(excluded.options, direction)) return true;
  if (transformerStorage.getStrategy(owner) !== 'excludeAll') return false;
  const exposed = transformerStorage.findExposeMetadata(owner, name);
  return exposed === undefined || !bearsOn(exposed.options, direction);
}

/** class-transformer sets neither methods nor accessors without a setter. */
function isReadOnly(owner: Type<unknown>, name: string): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(owner.prototype as object, name);
  return descriptor !== undefined && descriptor.set === undefined;
}
