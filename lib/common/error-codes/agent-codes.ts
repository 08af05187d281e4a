import { boot, failed, refused, type ErrorCodeEntry } from './error-code-entry.js';

/** What agents, their runs and their handoffs are refused with. */
export const AGENT_CODES = {
  // boot
  agent_definition_invalid: boot('Agent "{agent}": {what}.'),
  agent_name_duplicate: boot('Two agents are named "{agent}". Give one of them another `name`.'),
  agent_tool_collision: boot('Agent "{agent}" has two tools named "{tool}": {first} and {second}. Rename one of them.'),
  agent_unreachable: boot(
    'Agent "{agent}" is never reached: no conversation begins with it, and nobody hands over to it. List it in `entries`, hand over to it, or remove it.',
  ),
  agent_gate_missing: boot(
    'Agent "{agent}" has the tool "{tool}", whose calls a person must approve, and nobody keeps approvals. Import ApprovalsModule.forRoot and run the agent in a conversation with `approvals`, or leave the tool out.',
  ),
  agent_options_invalid: boot('Agents: `{key}` {what}.'),
  handoff_unknown: boot(
    'Agent "{agent}" hands over to "{target}", which is not among the agents. Add it to `agents`, or remove the handoff.',
  ),

  // runs: what the caller is told
  agent_unknown: failed('No agent is named "{agent}" here, or no conversation begins with it.', 404, 'host'),
  agent_message_missing: failed(
    'There is nothing to answer: no message was given, and no run of the conversation is open.',
    400,
    'host',
  ),
  agent_message_invalid: failed('The message is no text, or says nothing.', 400, 'host'),
  agent_budget_exceeded: failed('The run has used up its budget of {what}: {used} of {limit}.', 429, 'host'),
  agent_timed_out: failed('The run took longer than {what} may: {ms} ms.', 504, 'host', true),
  agent_output_invalid: failed(
    'The answer of agent "{agent}" is not of the shape that was asked for.',
    502,
    'host',
    true,
  ),
  agent_principal_refused: failed('Nobody resolves the person for whom the run goes on. It was ended.', 403, 'host'),
  agent_failed: failed('The run failed for a reason that only the process that ran it knows.', 500, 'host'),
  tool_failed: failed('The tool "{tool}" failed.', 502, 'host'),

  // tools and handoffs: what a model is told
  tool_timed_out: refused('The tool took longer than {ms} ms and was stopped.', 504),
  tool_calls_exhausted: refused('No more tools can be called in this run. Nothing was run.', 429),
  handoff_ignored: refused(
    'Another transfer of the same reply came first. Only one agent can go on: this transfer was ignored.',
    409,
  ),
  handoff_limit: refused(
    'The conversation was handed over this way {limit} times already. Answer yourself, or transfer to somebody else.',
    429,
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
