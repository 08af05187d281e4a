import { setOwn } from '../../common/index.js';
import type { PaletteEntry } from '../../palette/index.js';
import { dropOptionalNulls } from './drop-optional-nulls.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments as the operation has them, where the format that a model was told them in had them otherwise. */
export function argumentsOfOperation(entry: PaletteEntry, args: Arguments, hasNull: boolean): Arguments {
  const named = entry.argumentAliases.size === 0 ? args : withOwnNames(args, entry.argumentAliases);
  if (!hasNull) return named;
  return dropOptionalNulls(named, { schema: entry.argumentsSchema, nullMeansAbsent: entry.nullMeansAbsent });
}

/** An argument given by both of its names keeps both: the alias is refused as unknown then. */
function withOwnNames(args: Arguments, aliases: ReadonlyMap<string, string>): Arguments {
  const named = {};
  for (const [key, value] of Object.entries(args)) {
    const name = aliases.get(key);
    setOwn(named, name === undefined || Object.hasOwn(args, name) ? key : name, value);
  }
  return named;
}
