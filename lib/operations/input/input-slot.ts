import type { JsonSchema } from '../../common/index.js';
import type { DeclaredInput } from './declared-input.js';

export type SlotSource = 'path' | 'query' | 'body';

/** One value that a tool call supplies: a path parameter, a query parameter, a property of the body. */
export interface InputSlot {
  readonly source: SlotSource;
  readonly name: string;
  /** What a model is told. */
  readonly schema: JsonSchema;
  readonly required: boolean;
  /**
   * What is checked before a request is built. It differs from `schema` where the parameter has a judge of its own, whose
   * refusals say more than a schema's.
   */
  readonly checked: JsonSchema;
  /** Handed to pipes as text, as over HTTP: a transformation or a pipe of the application expects it so. */
  readonly isText: boolean;
  /** A property of a declared input: a query, say. */
  readonly isDeclared?: boolean;
  /** The parameter of the query string that holds this value among others, as one JSON object. */
  readonly jsonParameter?: string;
}

export interface InputSlots {
  readonly slots: readonly InputSlot[];
  /**
   * Sources that are one value as a whole: a body that is not an object of named properties (an array, a scalar), and
   * a body or a query string that no class declares.
   */
  readonly wholes: readonly InputSlot[];
  /** Parameters that a decorator of ours or of a plugin declared, by parameter index. */
  readonly declared: ReadonlyMap<number, DeclaredInput>;
}
