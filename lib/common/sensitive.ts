import 'reflect-metadata';

const SENSITIVE = Symbol.for('nestjs-palette:common:SENSITIVE');

/**
 * Marks a property of a DTO, or a whole class, as carrying data that may leave the process only where somebody accepted it.
 * Egress refuses to boot where such a field would leave through a service that is not declared sensitive.
 *
 * @param label what kind of data it is, such as `pii`; it appears in boot errors.
 */
export function Sensitive(label = 'sensitive'): ClassDecorator & PropertyDecorator {
  return (target: object, property?: string | symbol): void => {
    if (property === undefined) Reflect.defineMetadata(SENSITIVE, label, target);
    else Reflect.defineMetadata(SENSITIVE, label, target, property);
  };
}

/** The label of a class that is marked sensitive as a whole, its own or inherited; undefined where it is not. */
export function sensitiveLabelOf(classReference: object): string | undefined {
  return Reflect.getMetadata(SENSITIVE, classReference) as string | undefined;
}

/** The label of one property that is marked sensitive, its own or inherited; undefined where it is not. */
export function sensitivePropertyLabelOf(
  classReference: { readonly prototype: object },
  property: string,
): string | undefined {
  return Reflect.getMetadata(SENSITIVE, classReference.prototype, property) as string | undefined;
}
