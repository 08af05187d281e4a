import type { ParseContext } from './parse-context.js';

export const ALIAS_PATTERN = '^[A-Za-z_][A-Za-z0-9_]{0,62}$';

const ALIAS = new RegExp(ALIAS_PATTERN);

/** They fit the pattern, and mean something else on every JavaScript object. */
const RESERVED: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** The names that one aggregate query gives to its groups and computed values. */
export class AliasRegister {
  readonly #taken = new Set<string>();

  constructor(private readonly context: ParseContext) {}

  /** True where the alias may be used, and was not yet; anything else is reported. */
  take(alias: string, pointer: string): boolean {
    const isUsable = ALIAS.test(alias) && !RESERVED.includes(alias) && !this.#taken.has(alias);
    this.#taken.add(alias);
    if (!isUsable)
      this.context.refuse('aggregate_alias_invalid', pointer, { allowed: [`a name of its own, ${ALIAS_PATTERN}`] });
    return isUsable;
  }

  /** True for a name that the query gives, whether or not what it names was refused. */
  has(alias: string): boolean {
    return this.#taken.has(alias);
  }
}
