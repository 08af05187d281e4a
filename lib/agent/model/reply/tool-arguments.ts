import { isPlainObject } from '../../../common/index.js';
import type { ModelToolCall } from '../model.js';

export type ReadArguments = Pick<ModelToolCall, 'arguments' | 'fault'>;

/**
 * The arguments of one call, in the pieces that a provider sends them in. They are read once, at the end: that a part of them
 * happens to parse says nothing.
 */
export class ToolArguments {
  readonly #pieces: unknown[] = [];

  /** Whether nothing came that could mean anything but `{}`. */
  get isBlank(): boolean {
    return this.#pieces.every(isPlaceholder);
  }

  add(piece: unknown): void {
    if (piece === undefined || piece === null || (typeof piece === 'string' && piece === '')) return;
    this.#pieces.push(piece);
  }

  read(): ReadArguments {
    const pieces = this.#withoutPlaceholder();
    const [first] = pieces;
    if (pieces.every((piece) => typeof piece === 'string')) return parsed(pieces.join(''));
    if (pieces.length > 1) return { arguments: {}, fault: 'not_json' };
    return readObject(first);
  }

  /** Some providers begin with a payload of `{}`, whole, and send the real one after it. */
  #withoutPlaceholder(): readonly unknown[] {
    const said = this.#pieces.filter((piece) => typeof piece !== 'string' || piece.trim() !== '');
    const [first] = said;
    return said.length > 1 && isPlaceholder(first) ? this.#pieces.slice(this.#pieces.indexOf(first) + 1) : this.#pieces;
  }
}

/** Far more than any schema describes. */
const MAX_DEPTH = 200;

function isPlaceholder(piece: unknown): boolean {
  if (typeof piece === 'string') return ['', '{}'].includes(piece.trim());
  return isPlainObject(piece) && Object.keys(piece).length === 0;
}

function readObject(value: unknown): ReadArguments {
  if (!isPlainObject(value)) return { arguments: {}, fault: 'not_an_object' };
  return isDeeper(value, MAX_DEPTH) ? { arguments: {}, fault: 'too_deep' } : { arguments: value };
}

/** Nesting of which everything that walks through values would run out of stack, here or at a provider. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function parsed(text: string): ReadArguments {
  if (text.trim() === '') return { arguments: {} };
  try {
    return readObject(JSON.parse(text));
  } catch {
    return { arguments: {}, fault: 'not_json' };
  }
}
