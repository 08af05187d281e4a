import type { CallerContext, Principal } from '../../common/index.js';
import type { EgressShape, ShapeOutput } from '../../egress/index.js';
import type { Palette } from '../../palette/index.js';
import type { Model, ModelMessage } from '../model/index.js';
import type { FunctionTool } from '../tools/function-tool.js';
import type { MessageBudget } from '../transcript/index.js';

/** What an agent may ask of the run it speaks in. */
export interface AgentContext {
  readonly agent: string;
  /** Undefined where the run has no conversation in a store. */
  readonly conversationId: string | undefined;
  readonly principal: Principal;
  readonly caller: CallerContext;
}

/** One way from an agent to another. */
export interface Handoff {
  /** The name of the agent that goes on. */
  readonly to: string;
  /** When the model is to transfer, in words for it. Default: the `description` of the other agent. */
  readonly when?: string;
  /**
   * What the other agent is shown of what was said so far. It is repaired so that it cannot part a call from its result, and
   * the newest question stays: at the end, where only what was said would follow it. Default: everything. `withoutTools` and
   * `lastTurns` are two.
   */
  readonly filter?: (messages: readonly ModelMessage[]) => readonly ModelMessage[];
}

export interface AgentOptions<Shape extends EgressShape | undefined = EgressShape | undefined> {
  /** `^[a-zA-Z0-9_-]{1,50}$`; others transfer to it with `transfer_to_<name>`. */
  readonly name: string;
  readonly model: Model;
  /** What it is for, in words for agents that may hand over to it. */
  readonly description?: string;
  /** What the model is told first. */
  readonly system?: string | ((context: AgentContext) => string | Promise<string>);
  /** The operations it may call. Default: none. */
  readonly palette?: Palette;
  /** What it may call besides: `functionTool(...)`. Default: nothing. */
  readonly tools?: readonly FunctionTool[];
  /** The agents it may hand the conversation over to, by name. Default: none. */
  readonly handoffs?: readonly (string | Handoff)[];
  /** What the answer must be: JSON of this DTO class or Standard Schema. Default: text. */
  readonly output?: Shape;
  /** How much of the conversation the model is shown. Default: all. */
  readonly history?: MessageBudget;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** A model with a task and tools. Frozen. */
export type Agent<Shape extends EgressShape | undefined = EgressShape | undefined> = Readonly<AgentOptions<Shape>>;

/** What an answer of this agent is: an instance of its `output`, or text. */
export type AnswerOf<A> =
  A extends AgentOptions<infer Shape> ? (Shape extends EgressShape ? ShapeOutput<Shape> : string) : never;

/**
 * Declares an agent. What it says is checked where it is used: at boot by `AgentModule`, else when a run begins.
 *
 * @example const support = defineAgent({ name: 'support', model, palette, system: 'Answer questions about orders.' });
 */
export function defineAgent<const Shape extends EgressShape | undefined = undefined>(
  options: AgentOptions<Shape>,
): Agent<Shape> {
  return Object.freeze({ ...options });
}
