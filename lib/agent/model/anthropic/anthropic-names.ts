import { createHash } from 'node:crypto';
import { setOwn } from '../../../common/index.js';
import { argumentAliases } from '../../../palette/index.js';
import type { ToolDefinition } from '../../../palette/index.js';

type Arguments = Readonly<Record<string, unknown>>;

/** An id as this API takes one: another provider's may have other characters, and both sides of a call need the same. */
export function wireId(id: string): string {
  if (/^[a-zA-Z0-9_-]+$/.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}

/** The names of arguments as this API takes them, and back. */
export class ArgumentNames {
  readonly #aliases: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(tools: readonly ToolDefinition[]) {
    this.#aliases = new Map(tools.map(({ name, inputSchema }) => [name, argumentAliases(inputSchema)]));
  }

  toWire(tool: string, args: Arguments): Arguments {
    const names = new Map([...(this.#aliases.get(tool) ?? [])].map(([alias, name]) => [name, alias]));
    return renamed(args, names);
  }

  fromWire(tool: string, args: Arguments): Arguments {
    return renamed(args, this.#aliases.get(tool) ?? new Map());
  }
}

/** A value that is given by both of its names keeps both: the tool refuses the one that it does not have. */
function renamed(args: Arguments, names: ReadonlyMap<string, string>): Arguments {
  if (names.size === 0) return args;
  const copy = {};
  for (const [key, value] of Object.entries(args)) {
    const name = names.get(key);
    setOwn(copy, name === undefined || Object.hasOwn(args, name) ? key : name, value);
  }
  return copy;
}
