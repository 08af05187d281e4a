import { isPlainObject } from '../../common/index.js';
import type { ArgumentFault } from './argument-faults.js';

export type ParsedArguments =
  | {
      readonly args: Readonly<Record<string, unknown>>;
      readonly bytes: number;
      /** False where no value of the arguments can be null. */
      readonly hasNull: boolean;
    }
  | { readonly code: 'tool_arguments_invalid' | 'tool_arguments_unknown'; readonly faults: readonly ArgumentFault[] }
  | { readonly code: 'tool_arguments_too_large' };

/** Far more than any schema describes: of deeper nesting everything that walks through values would run out of stack. */
const MAX_DEPTH = 200;

/** Reads the arguments of a tool call, parsed or as text; none at all mean `{}`. */
export function parseArguments(given: unknown, maxBytes: number): ParsedArguments {
  const text = typeof given === 'string' ? given : jsonText(given ?? {});
  if (text === undefined) return isDeeper(given, MAX_DEPTH) ? tooDeep() : notAnObject('are not JSON');
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) return { code: 'tool_arguments_too_large' };
  const args: unknown = typeof given === 'string' ? parseText(given) : (given ?? {});
  if (!isPlainObject(args)) return notAnObject('must be one JSON object');
  // Each level takes two brackets at least, so that most arguments need not be looked through.
  if (text.length > 2 * MAX_DEPTH && isDeeper(args, MAX_DEPTH)) return tooDeep();
  const pointer = text.includes('__proto__') || text.includes('\\u') ? prototypePointer(args, '') : undefined;
  if (pointer !== undefined) {
    return { code: 'tool_arguments_unknown', faults: [{ pointer, problem: 'is not an argument of this tool' }] };
  }
  return { args, bytes: text.length, hasNull: text.includes('null') };
}

/** Undefined for what JSON cannot say: a BigInt, a circle, more nesting than there is stack for. */
function jsonText(given: unknown): string | undefined {
  try {
    return JSON.stringify(given) as string | undefined;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function parseText(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function notAnObject(problem: string): ParsedArguments {
  return { code: 'tool_arguments_invalid', faults: [{ pointer: '', problem }] };
}

function tooDeep(): ParsedArguments {
  return notAnObject(`are nested more than ${MAX_DEPTH} deep`);
}

/** Where an own key `__proto__` stands, at any depth: no input of any operation has one. */
function prototypePointer(value: unknown, pointer: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return `${pointer}/__proto__`;
  for (const [key, inner] of Object.entries(value)) {
    const found = prototypePointer(inner, `${pointer}/${key.slice(0, 64)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
