import type { JsonSchema } from '../../common/index.js';
import { withDescription } from './constraint-schema.js';

/** Why a value is left open, for the model and for the developer. */
export interface Opening {
  /** A clause that a schema follows: "Checked under a condition of the application; then it must fit". */
  readonly note: string;
  readonly gap: string;
}

export const TRANSFORMED_NOTE = 'The application transforms the value before it checks it; what comes out must fit';

/** Takes anything, and tells in words what is expected. */
export function openSchema(value: JsonSchema, openings: readonly Opening[]): JsonSchema {
  const { description, ...expected } = value;
  const notes = openings.map((opening) => `${opening.note} ${JSON.stringify(expected)}.`);
  const told = Object.keys(expected).length > 0 ? notes : [];
  return withDescription(description === undefined ? {} : { description }, told);
}
