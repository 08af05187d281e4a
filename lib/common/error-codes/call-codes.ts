import { failed, refused, type ErrorCodeEntry } from './error-code-entry.js';

/** What a tool call, an approval, a model or a surface is refused with. */
export const CALL_CODES = {
  // tool calls: what a model is told
  tool_unknown: refused('No tool of that name is available.', 404),
  tool_arguments_invalid: refused('The arguments do not fit the tool. Each fault is listed in `details`.'),
  tool_arguments_unknown: refused('The tool has no such argument. Each one is listed in `details`.'),
  tool_arguments_too_large: refused('The arguments are larger than {maxBytes} bytes.', 413),
  tool_result_too_large: refused(
    'The result is larger than {maxBytes} bytes. Narrow the request: filter, page or select less.',
    413,
  ),
  tool_result_omitted: refused(
    'The call has run. Its result is larger than {maxBytes} bytes and was left out. Do not repeat the call.',
    200,
  ),
  tool_result_missing: refused(
    'No result of this call was kept: it may or may not have happened. Find out before you repeat it.',
    409,
  ),

  // dispatch
  operation_identity_mismatch: refused(
    'These arguments do not lead to the operation that was called. Use other values.',
    404,
  ),
  operation_unauthenticated: failed('{operation} refused the caller as not authenticated.', 401, 'host'),
  operation_failed: failed('{operation} failed.', 502, 'host'),
  operation_redirected: failed('{operation} answered with a redirect, which a tool call does not follow.', 502, 'host'),
  dispatch_without_http: failed(
    'Operations are dispatched through an HTTP application; this one has no HTTP adapter.',
    500,
    'developer',
  ),
  operation_unconnected: failed(
    '{operation} answers messages, and no microservice is connected. Call `app.connectMicroservice` before `app.init`.',
    500,
    'developer',
  ),
  dispatch_before_init: failed(
    '{operation} was called before the application had initialised. Await `app.init()` first.',
    500,
    'developer',
  ),
  agent_call_denied: refused('This route is not for agents.', 403),
  agent_call_required: failed('This route is for agents only.', 403, 'host'),
  dispatch_recursion: refused('Tool calls are nested more than {maxDepth} deep.', 508),
  dispatch_cancelled: failed('The tool call was cancelled by its caller.', 499, 'host'),
  deadline_exceeded: failed('{operation} took longer than the {timeoutMs} ms it was given.', 504, 'host', true),

  // approvals
  approval_required: refused('A person must approve this call before it can run.', 403),
  approval_denied: refused('A person denied this call. It was not run.', 403),
  approval_expired: refused('Nobody approved this call in time. It was not run.', 403),
  approval_unknown: refused('There is no such approval here.', 404),
  approval_conflict: refused('The approval was decided otherwise before. `details` says by whom, and how.', 409),
  approval_principal_missing: failed('Nobody that is known asks. Authenticate first.', 401, 'host'),
  approval_decider_refused: failed('This person may not do this.', 403, 'host'),
  approval_role_missing: failed('Deciding about this call needs a role that this person does not have.', 403, 'host'),
  approval_requester_refused: failed(
    'The call would run for this person, who therefore may not decide about it.',
    403,
    'host',
  ),
  approval_decision_invalid: failed('This is not a decision. Each fault is listed in `details`.', 400, 'host'),
  approval_request_invalid: failed(
    'The request does not say what it asks for. Each fault is listed in `details`.',
    400,
    'host',
  ),
  approval_body_type: failed('The body must be JSON, and be sent as `application/json`.', 415, 'host'),
  approval_stale: failed(
    'The arguments are not those that were shown. Look at the approval again, and decide about what it says now.',
    409,
    'host',
  ),
  approval_mismatch: refused(
    'The approval is for another call: another tool, or other arguments. Nothing was run.',
    409,
  ),
  call_running: failed('This call is being run just now. Ask again for its result.', 409, 'host', true),
  call_not_unknown: failed('No such call waits for an operator.', 404, 'host'),
  approval_cursor_invalid: failed('The cursor is not one of this list. Start from the first page.', 400, 'host'),
  approval_gate_failed: failed('The approval rule of {operation} failed. Nothing was run.', 500, 'developer'),
  call_cancelled: refused('This call was cancelled before it ran.', 409),
  call_interrupted: refused(
    'This call was cancelled while it ran: it may or may not have happened. To repeat it does no harm.',
    409,
  ),
  call_superseded: refused('This call was given up for a newer message before it ran.', 409),
  tool_outcome_unknown: refused(
    'This call was interrupted: it may or may not have happened. Do not repeat it. A person has been told.',
    409,
  ),

  // conversations
  conversation_unknown: refused('There is no such conversation here.', 404),
  conversation_busy: refused('The conversation is busy with another message. Wait for its answer.', 409),
  store_options_invalid: failed('{store}: `{key}` {what}.', 500, 'developer'),
  store_not_migrated: failed(
    'The tables of the store are not in schema "{schema}", or are of an earlier version. Call `migrate()` of `nestjs-palette/postgres`.',
    500,
    'operator',
  ),
  store_transaction_ended: failed(
    'The transaction of this call has ended. Nothing more is done in it: wait for every statement before you answer.',
    500,
    'developer',
  ),
  journal_write_invalid: failed(
    'A store was asked to write {what}. Nothing was written: mend whoever asks.',
    500,
    'developer',
  ),
  journal_version_unknown: failed(
    'The journal of the conversation was written by a later version of the library: schema version {version}, and this one reads up to {known}. Upgrade it.',
    500,
    'operator',
  ),

  // models: what came back of a call that the provider took
  model_interrupted: failed('The reply of {model} broke off: {what}. No tool of it is run.', 502, 'host', true),
  model_rejected: failed('The provider of {model} refused inside its reply: {what}.', 502, 'host'),
  model_reply_invalid: failed('{model} answered with what is no reply: {what}.', 502, 'host'),

  // MCP: what a client is told
  mcp_host_refused: failed(
    'The endpoint does not answer to this host name. List it in `allowedHosts` where it is one of its own.',
    403,
    'operator',
  ),
  mcp_origin_refused: failed(
    'Pages of this origin may not call the endpoint. List the origin in `allowedOrigins` where they may.',
    403,
    'operator',
  ),
  mcp_cursor_invalid: failed('The cursor is not one of this list. Start from the first page.', 400, 'host'),
  mcp_prompt_unknown: failed('No prompt of that name is available.', 404, 'host'),
  mcp_prompt_arguments_invalid: failed('The prompt needs a `question`.', 400, 'host'),
} as const satisfies Record<string, ErrorCodeEntry>;
