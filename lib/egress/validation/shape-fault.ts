/** One fault of a value: where it is and which constraints it breaks. Never the value, never a custom message. */
export interface ShapeFault {
  /** Dotted path of property names and list positions; empty for the value as a whole. */
  readonly property: string;
  readonly constraints: readonly string[];
}

export type ShapeResult = { readonly value: unknown } | { readonly faults: readonly [ShapeFault, ...ShapeFault[]] };

const MAX_FAULTS = 20;
const MAX_NAME_LENGTH = 100;

/** Limits what a hostile value can make an error say: few faults, short names, no control characters. */
export function refusedShape(faults: readonly ShapeFault[]): ShapeResult {
  const [first = { property: '', constraints: ['invalid'] }, ...rest] = faults.slice(0, MAX_FAULTS).map(sanitised);
  return { faults: [first, ...rest] };
}

function sanitised(fault: ShapeFault): ShapeFault {
  return { property: plainName(fault.property), constraints: fault.constraints.map(plainName) };
}

function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, MAX_NAME_LENGTH);
}
