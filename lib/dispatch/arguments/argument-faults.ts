import type { ErrorObject } from 'ajv';
import { pointerSegment } from '../../common/index.js';

/** One thing that is wrong with the arguments of a tool call. Values never appear in it. */
export interface ArgumentFault {
  /** JSON pointer into the arguments; `''` is the whole. */
  readonly pointer: string;
  readonly problem: string;
}

const MAX_FAULTS = 20;
const MAX_NAME = 64;

/** Says what a schema validator found in words that hold names and constraints, never a value. */
export function argumentFaults(errors: readonly ErrorObject[]): ArgumentFault[] {
  const told = errors.map(toFault).filter((fault) => fault !== undefined);
  const distinct = new Map(told.map((fault) => [`${fault.pointer} ${fault.problem}`, fault]));
  return [...distinct.values()].slice(0, MAX_FAULTS);
}

export function isUnknownArgument(error: ErrorObject): boolean {
  return error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties';
}

function toFault(error: ErrorObject): ArgumentFault | undefined {
  const params = error.params as Record<string, unknown>;
  if (isUnknownArgument(error)) {
    const name = shorten(String(params['additionalProperty'] ?? params['unevaluatedProperty']));
    return { pointer: error.instancePath + pointerSegment(name), problem: 'is not an argument of this tool' };
  }
  if (error.keyword === 'required') {
    return {
      pointer: error.instancePath + pointerSegment(shorten(String(params['missingProperty']))),
      problem: 'is required',
    };
  }
  if (error.keyword === 'enum') {
    const allowed = (params['allowedValues'] as unknown[]).slice(0, MAX_FAULTS).map((value) => JSON.stringify(value));
    return { pointer: error.instancePath, problem: `must be one of ${allowed.join(', ')}` };
  }
  // The branches of a union tell what each of them misses; the union's own sentence follows them.
  if (error.keyword === 'if') return undefined;
  return { pointer: error.instancePath, problem: error.message ?? 'does not fit' };
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}...` : name;
}
