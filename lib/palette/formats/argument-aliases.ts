import { createHash } from 'node:crypto';
import { setOwn, type JsonSchema } from '../../common/index.js';

/** What every provider takes as the name of an argument; some refuse the whole request over another one. */
const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Names for the arguments whose own ones not every provider takes, by alias: `groups` for `$groups`. Only names at the top
 * count: providers do not look at those within. An alias follows from the name and from the names beside it, in any order.
 */
export function argumentAliases(schema: JsonSchema): ReadonlyMap<string, string> {
  const names = Object.keys(schema.properties ?? {});
  const unfit = names.filter((name) => !ARGUMENT_NAME.test(name));
  const plain = unfit.map((name) => name.replace(/^\$/, '').replace(/[^a-zA-Z0-9_.-]/g, '_'));
  return new Map(
    unfit.map((name, index) => {
      const alias = plain[index] as string;
      const isTaken = names.includes(alias) || plain.filter((other) => other === alias).length > 1;
      return [isTaken || !ARGUMENT_NAME.test(alias) ? hashed(alias, name) : alias, name];
    }),
  );
}

/** The schema with aliases in place of the names that they stand for. */
export function withArgumentAliases(schema: JsonSchema): JsonSchema {
  const aliases = argumentAliases(schema);
  if (aliases.size === 0) return schema;
  const told = new Map([...aliases].map(([alias, name]) => [name, alias]));
  const properties: Record<string, JsonSchema> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    setOwn(properties, told.get(name) ?? name, property);
  }
  const required = schema.required?.map((name) => told.get(name) ?? name);
  return { ...schema, properties, ...(required && { required }) };
}

function hashed(alias: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${alias.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
