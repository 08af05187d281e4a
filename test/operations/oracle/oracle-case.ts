import type { Type } from '@nestjs/common';
import type { DeliberateReason, LossyReason } from './reasons.js';

/** One DTO class, a payload that the pipe accepts, and where schema and pipe differ. */
export interface OracleCase {
  readonly type: Type<unknown>;
  readonly base: Readonly<Record<string, unknown>>;
  /** Values to try in a property, besides those that every property is tried with. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /** Properties of which the schema refuses something that the pipe accepts. */
  readonly stricter?: Readonly<Record<string, readonly DeliberateReason[]>>;
  /** Properties of which the schema accepts something that the pipe refuses, without a gap reported. */
  readonly looser?: Readonly<Record<string, readonly LossyReason[]>>;
  /** Keys that the application takes and drops: a tool call is told that they do not exist. */
  readonly dropped?: readonly string[];
}

export function oracleCase(
  type: Type<unknown>,
  base: Readonly<Record<string, unknown>>,
  rest: Omit<OracleCase, 'type' | 'base'> = {},
): OracleCase {
  return { type, base, ...rest };
}
