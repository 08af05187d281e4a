import type { Constraint } from '../constraint.js';

/** What a validator lets through, by the constraints that its decorator was given. */
export type ValidatorRule = (parameters: readonly unknown[]) => Constraint;

export type ValidatorRules = Readonly<Record<string, ValidatorRule>>;

/** A count for JSON Schema, which knows whole numbers from 0 only; undefined where the bound bounds nothing. */
export function atLeast(bound: unknown): number | undefined {
  return typeof bound === 'number' && Number.isFinite(bound) && bound > 0 ? Math.ceil(bound) : undefined;
}

export function atMost(bound: unknown): number | undefined {
  return typeof bound === 'number' && Number.isFinite(bound) && bound >= 0 ? Math.floor(bound) : undefined;
}

/** The keywords that have a value. */
export function defined<Keywords extends object>(keywords: {
  readonly [Key in keyof Keywords]: Keywords[Key] | undefined;
}): Keywords {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined)) as Keywords;
}
