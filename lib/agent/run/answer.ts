import type { JsonSchema } from '../../common/index.js';
import { validateInput } from '../../egress/index.js';
import { inputDocument } from '../../operations/index.js';
import { AgentError } from '../agent-error.js';
import type { Agent } from '../definition/index.js';

/** What an answer is, where it is what the agent declares. */
export type ReadAnswer = { readonly answer: unknown } | { readonly error: AgentError };

const SCHEMAS = new WeakMap<object, JsonSchema>();

/** What a model is told of the shape of the answer; undefined where it is text. */
export function answerShape({
  name,
  output,
}: Agent): { readonly name: string; readonly schema: JsonSchema } | undefined {
  if (output === undefined) return undefined;
  const schema = SCHEMAS.get(output) ?? inputDocument(output, name);
  SCHEMAS.set(output, schema);
  return { name: `${name}_answer`, schema };
}

/** The answer that a text is: the text itself, or what the agent's `output` makes of its JSON. */
export async function readAnswer({ name, output }: Agent, text: string): Promise<ReadAnswer> {
  if (output === undefined) return { answer: text };
  const read = await validateInput(output, parsed(text));
  if (!('faults' in read)) return { answer: read.value };
  return { error: new AgentError('agent_output_invalid', { parameters: { agent: name }, details: read.faults }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
