import type { Type } from '@nestjs/common';
import type { CallerContext } from '../common/index.js';
import type { ApprovalRule, OperationDescriptor } from '../operations/index.js';
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
  /**
   * Whether the grammar of filters is told once, in `palette.filterGrammar`, instead of in every query tool. What is
   * enforced is the same. Default: false.
   */
  readonly sharedFilterGrammar?: boolean;
  /**
   * Whether a null that a model writes for an optional argument always means that it leaves it out, also where the application
   * takes null as a value (`@IsOptional()`). In strict mode a model has no other way to leave something out. Default: false,
   * so that such a null reaches the application.
   */
  readonly nullMeansAbsent?: boolean;
  /**
   * Whether an operation is shown to a caller; `palette.visibleTo(caller)` asks it. It keeps a model from trying what its
   * caller may not do anyway: whether a call is refused is decided by the application's guards. Default: all are shown.
   */
  readonly visible?: OperationVisibility;
  /** Past how many tokens of definitions, as `palette.estimate()` counts them, a warning is logged at boot. Default: 8,000. */
  readonly definitionBudgetTokens?: number;
  /**
   * Operations, by name, whose calls through this palette need a person's approval besides what their owner demands.
   * Default: none.
   */
  readonly approvals?: Readonly<Record<string, ApprovalRule>>;
}

export type OperationVisibility = (operation: OperationDescriptor, caller: CallerContext) => boolean | Promise<boolean>;

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
