import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../common/index.js';
import { only, type Constraint } from './constraint.js';
import { describeDesignType, type NamedType } from './declared-type.js';
import type { PropertyMetadata } from './property-metadata.js';

/** Where the schema of a nested class comes from. */
export interface NestedSchemas {
  /** The schema of instances of a class. */
  ofClass(type: Type<unknown>): JsonSchema;
  /** The schema of instances of a class that a property tells apart from its siblings. */
  ofSubType(subType: SubType, discriminator: string): JsonSchema;
}

export interface SubType {
  readonly value: Type<unknown>;
  readonly name: string;
}

/** What one nested object must be like. Without keywords where no metadata tells its class. */
export function nestedItem(
  property: PropertyMetadata,
  named: NamedType | undefined,
  nested: NestedSchemas,
): Constraint {
  const discriminator = property.typeEntry?.options?.discriminator;
  if (discriminator?.property !== undefined && discriminator.subTypes?.length) {
    const { property: key, subTypes } = discriminator;
    return only('object', { anyOf: subTypes.map((subType) => nested.ofSubType(subType, key)) });
  }
  if (named?.is === 'class') return only('object', nested.ofClass(named.type));
  if (named !== undefined) {
    return only('object', {}, { gaps: ['is validated as a class that @Type() does not name by itself: left open'] });
  }
  const declared = [property.designType, property.documented?.itemType, property.documented?.designType]
    .map(describeDesignType)
    .find((each) => each?.is === 'class');
  if (declared?.is !== 'class') {
    return only('object', {}, { gaps: ['is validated as nested without @Type(): its class is unknown, left open'] });
  }
  return only('object', nested.ofClass(declared.type), {
    gaps: [
      `is validated as nested without @Type(): the pipe does not look into it. Add @Type(() => ${declared.type.name})`,
    ],
  });
}
