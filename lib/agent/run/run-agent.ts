import type { EgressShape } from '../../egress/index.js';
import type { Agent, AnswerOf } from '../definition/index.js';
import type { AgentEvent } from './agent-event.js';
import { ConversationRun } from './conversation-run.js';
import { resolveRun, type RunAgentOptions } from './run-options.js';

/**
 * Lets an agent answer: the model is asked, the tools that it calls are run, until it answers, waits for a person, or a limit is
 * reached. Everything is written down before it is told, so that a run that its process dies in goes on elsewhere.
 *
 * What goes wrong within a run is an `error` event; only what keeps it from beginning is thrown. Whoever stops reading leaves the
 * run open, to go on with the next call; `signal` cancels it.
 *
 * @throws PaletteBootError, at once, where agents or options are at fault; while it is read: ConversationError
 *   `conversation_unknown`, `conversation_busy`, AgentError `agent_message_missing`, `agent_message_invalid`, and what the store throws
 * @example
 * for await (const event of runAgent({ agent, dispatcher, caller, conversation: id, principal, message })) send(event);
 */
export function runAgent<const Shape extends EgressShape | undefined = undefined>(
  options: RunAgentOptions<Shape>,
): AsyncGenerator<AgentEvent<AnswerOf<Agent<Shape>>>, void, undefined> {
  // The answer is read by the agent's own `output`, which is where its type comes from.
  const resolved = resolveRun(options as RunAgentOptions);
  return new ConversationRun(resolved).events() as AsyncGenerator<AgentEvent<AnswerOf<Agent<Shape>>>, void, undefined>;
}
