import type { Type } from '@nestjs/common';
import type { QueryPolicyAxes, QueryPolicyOptions } from '../query/index.js';
import type { PaletteInclude } from './include.js';

export interface PaletteOptions {
  /** Names the palette for `@InjectPalette(name)`. */
  readonly name: string;
  /** The palette's whole content, in the order a model sees it. Required; an empty list is a boot error. */
  readonly include: readonly PaletteInclude[];
  /** Whether commands are refused at boot. Default: true. */
  readonly readOnly?: boolean;
  /** What this palette takes away from the query policies of read models: `narrowedPolicy(NoteRead, {...})`. Default: nothing. */
  readonly queryPolicies?: readonly NarrowedPolicy[];
}

/** A read model's query policy, narrowed for one palette: what is advertised there and what is enforced. */
export interface NarrowedPolicy {
  readonly readModel: Type;
  readonly policy: QueryPolicyAxes<string>;
}

/** Narrows a read model's query policy for a palette, with names checked against the read model. */
export function narrowedPolicy<T>(readModel: Type<T>, policy: QueryPolicyOptions<T>): NarrowedPolicy {
  return { readModel, policy: policy as QueryPolicyAxes<string> };
}

/** One palette of `OperationsModule.forFeature`, found by the registry among the application's providers. */
export class PaletteDeclaration {
  constructor(readonly options: PaletteOptions) {}
}
