/** A hash of Redis. */
export type Hash = ReadonlyMap<string, string>;

/** Of names and values in turn. */
export function hashOf(reply: unknown): Hash {
  const flat = reply as readonly string[];
  const hash = new Map<string, string>();
  for (let at = 0; at + 1 < flat.length; at += 2) hash.set(flat[at] as string, flat[at + 1] as string);
  return hash;
}

export function fieldOf(hash: Hash, name: string): string {
  const value = hash.get(name);
  if (value === undefined) throw new TypeError(`A hash of the store has no field ${name}.`);
  return value;
}

export function numberOf(hash: Hash, name: string): number {
  return Number(fieldOf(hash, name));
}

export function optionalNumberOf(hash: Hash, name: string): number | undefined {
  return hash.has(name) ? numberOf(hash, name) : undefined;
}

export function jsonOf(hash: Hash, name: string): unknown {
  return JSON.parse(fieldOf(hash, name)) as unknown;
}
