import { sensitiveLabelOf, sensitivePropertyLabelOf } from '../../common/index.js';
import { dtoProperties, isDtoClass, nestedDtos } from '../declaration/dto-properties.js';
import type { DtoClass, EgressShape } from '../declaration/egress-shape.js';

/** The fields of a DTO, nested ones included, that are marked `@Sensitive`: `Class.property (label)`. */
export function sensitiveFields(shape: EgressShape | undefined): string[] {
  return isDtoClass(shape) ? [...fieldsOf(shape, new Set())] : [];
}

function* fieldsOf(dto: DtoClass, seen: Set<DtoClass>): Generator<string> {
  if (seen.has(dto)) return;
  seen.add(dto);
  const whole = sensitiveLabelOf(dto);
  if (whole !== undefined) yield `${dto.name} (${whole})`;
  for (const property of dtoProperties(dto)) {
    const label = sensitivePropertyLabelOf(dto, property);
    if (label !== undefined) yield `${dto.name}.${property} (${label})`;
    for (const nested of nestedDtos(dto, property)) yield* fieldsOf(nested, seen);
  }
}
