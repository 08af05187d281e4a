/** Who can do something about a refusal. */
export type ErrorActor = 'developer' | 'operator' | 'host' | 'model';

export interface ErrorCodeEntry {
  /** Message template; `{name}` is filled from the parameters of the error. Never an operand, a body or a secret. */
  readonly message: string;
  /** HTTP status where the error leaves through HTTP. */
  readonly status: number;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  readonly actor: ErrorActor;
}

const boot = (message: string, actor: ErrorActor = 'developer') =>
  ({ message, status: 500, retryable: false, actor }) as const;
const refused = (message: string, status = 400) => ({ message, status, retryable: false, actor: 'model' }) as const;
const failed = (message: string, status: number, actor: ErrorActor, retryable = false) =>
  ({ message, status, retryable, actor }) as const;

/** Every code of the library, in one table; `docs/errors.md` is kept equal to it by a test. */
export const ERROR_CODES = {
  // boot: operations and palettes
  operation_name_duplicate: boot(
    'Two operations are named "{name}": {first} and {second}. Give one of them another `name`.',
  ),
  operation_kind_undeclared: boot('{operation} answers every HTTP verb. State `kind: "query"` or `kind: "command"`.'),
  operation_input_unsupported: boot('{operation} {what}. {repair}'),
  operation_route_unresolved: boot('{operation} has no single address: {what}. {repair}'),
  operation_not_a_route: boot(
    '{operation} carries @Operation() but is no route of a controller. Add @Get(), @Post(), ... to a controller method, or remove it.',
  ),
  operation_read_early: boot(
    'The operations were read before the application set its global pipes, which validate by other options than was told. Read palettes in `onModuleInit` or later, never while providers are made.',
  ),
  palette_allowlist_empty: boot('Palette "{palette}" includes nothing. List the operations it may hold in `include`.'),
  palette_operation_unknown: boot(
    'Palette "{palette}" includes "{operation}", which is not an operation. {suggestion}',
  ),
  palette_command_in_read_only: boot(
    'Palette "{palette}" is read-only and includes the command "{operation}". Set `readOnly: false` or leave it out.',
  ),
  palette_operation_sensitive: boot(
    'Palette "{palette}" includes "{operation}", which {what}. No palette can hold it: leave it out.',
  ),
  palette_name_invalid: boot('"{palette}" is not a palette name. Use letters, digits, "_", "-" and ".", 64 at most.'),
  palette_name_collision: boot('{what} "{name}" is used twice: {first} and {second}. Rename one of them.'),
  palette_policy_widens: boot(
    'Palette "{palette}" widens the query policy of {readModel}: {what}. A palette can only narrow.',
  ),
  palette_approval_unknown: boot(
    'Palette "{palette}" demands approval of "{operation}", which it does not include. Include it, or take it out of `approvals`.',
  ),
  approval_gate_missing: boot(
    'Palette "{palette}" holds {operation}, whose calls a person must approve, and nothing keeps approvals. Import ApprovalsModule.forRoot, or leave the operation out.',
  ),
  palette_unknown: boot(
    'No palette is named "{palette}". Declare it in OperationsModule.forFeature({ palettes: [...] }).',
  ),

  operation_enhancers_skipped: boot(
    '{operation} answers messages through a microservice without the global guards, pipes, interceptors and filters of the application. Connect it with `{ inheritAppConfig: true }`.',
  ),
  dispatch_header_forbidden: boot(
    'The header "{header}" describes one message or connection and cannot be forwarded. Remove it from `forwardHeaders`.',
  ),

  // boot: egress
  http_egress_unacknowledged: boot(
    'Data leaves the trust boundary through services that nobody has acknowledged: {services}. An operator accepts it with `true` or { by, reason, on, expires? }.',
    'operator',
  ),
  egress_sensitive_field: boot(
    '{field} is marked @Sensitive and would leave through {operation}, whose service is not sensitive. Set `services.{service}.egressSensitive` to true, or leave the field out.',
  ),
  egress_cleartext: boot('Egress service "{service}" sends {what} unencrypted to {origin}. Use https.', 'operator'),
  egress_base_url_invalid: boot('`services.{service}.baseUrl` {what}.', 'operator'),
  egress_options_invalid: boot('EgressHttpModule: `{key}` {what}.', 'operator'),
  egress_declaration_invalid: boot('{where}: {what}.'),
  egress_service_unconfigured: boot(
    'Egress service "{service}" is declared in EgressHttpModule.forFeature and not configured. Add `services.{service}` to EgressHttpModule.forRoot.',
  ),
  egress_module_duplicate: boot(
    'EgressHttpModule.forRoot is imported {count} times. Import it once, with all services; features use forFeature.',
  ),

  // boot: telemetry
  telemetry_options_invalid: boot('Telemetry: `{key}` {what}.'),

  // boot: query policies
  query_policy_field_unknown: boot(
    '{where}: `{option}` names "{field}", which is not a field of {readModel}. It has: {known}.',
  ),
  query_policy_operator_unknown: boot(
    '{where}: `{option}` gives "{field}" "{operator}", which does not exist. There are: {known}.',
  ),
  query_policy_operator_unsupported: boot(
    '{where}: `{option}` gives "{field}" {operator}, which its kind, {kind}, does not have. It has: {known}.',
  ),
  query_policy_kind_unknown: boot(
    '{where}: the kind of "{field}" of {readModel} {what}. State it in `kinds`, one of: {known}; or leave the field out.',
  ),
  query_policy_option_invalid: boot('{where}: {option} {what}.'),
  query_policy_required: boot(
    '{operation} has no query policy: every field of {readModel} is open. Put @QueryPolicy() on {readModel} or on the method.',
  ),
  query_policy_widens: boot(
    '{where}: the method widens the query policy of {readModel}: {what}. A method can only narrow: leave it out there, or allow it on the read model.',
  ),

  query_store_field_unmapped: boot(
    '{store}: {readModel} has a field "{field}", and {entity} no column "{column}" for it. Name its property in `columns`, or list it in `computed` where the application fills it in.',
  ),
  query_store_column_unsupported: boot(
    '{store}: "{field}" of {readModel} is of kind {kind}, and its column of type {type} does not compare as such: {what}. {repair}',
  ),
  query_cursor_order_partial: boot(
    '{where}: {readModel} has no tie-breaker, and pages by cursor would lose rows that are equal in every sort. Name a unique field: @QueryPolicy({ tieBreaker }).',
  ),
  query_cursor_reveals: boot(
    '{where}: cursors without a secret show the values of {fields}, which rows of {readModel} may not hold. Give `cursorSecret`, or make the fields returnable.',
  ),

  // boot: MCP
  mcp_options_invalid: boot('MCP: `{key}` {what}.'),
  mcp_schema_header: boot(
    '{operation} has a schema with "x-mcp-header", which makes clients send an argument twice, perhaps with two values. Remove it.',
  ),

  // tool calls: what a model is told
  tool_unknown: refused('No tool of that name is available.', 404),
  tool_arguments_invalid: refused('The arguments do not fit the tool. Each fault is listed in `details`.'),
  tool_arguments_unknown: refused('The tool has no such argument. Each one is listed in `details`.'),
  tool_arguments_too_large: refused('The arguments are larger than {maxBytes} bytes.', 413),
  tool_result_too_large: refused(
    'The result is larger than {maxBytes} bytes. Narrow the request: filter, page or select less.',
    413,
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
  approval_gate_failed: failed('The approval rule of {operation} failed. Nothing was run.', 500, 'developer'),
  call_cancelled: refused('This call was cancelled before it ran.', 409),
  call_superseded: refused('This call was given up for a newer message before it ran.', 409),
  tool_outcome_unknown: refused(
    'This call was interrupted: it may or may not have happened. Do not repeat it. A person has been told.',
    409,
  ),

  // conversations
  conversation_unknown: refused('There is no such conversation here.', 404),
  conversation_busy: refused('The conversation is busy with another message. Wait for its answer.', 409),
  journal_version_unknown: failed(
    'The journal of the conversation was written by a later version of the library: schema version {version}, and this one reads up to {known}. Upgrade it.',
    500,
    'operator',
  ),

  // egress: refused by us
  egress_operation_unknown: failed('{service} has no such operation: {what}.', 500, 'developer'),
  egress_arguments_invalid: refused('The arguments do not fit {operation}. Each fault is listed in `details`.'),
  egress_path_parameter_invalid: refused(
    'A path parameter of {operation} cannot be part of a path. `details` names it.',
  ),
  egress_url_malformed: failed('The address of {operation} is not one that can be sent: it {what}.', 500, 'developer'),
  egress_outside_base_url: failed(
    'The address of {operation} is outside the base URL of its service. Nothing was sent.',
    500,
    'developer',
  ),
  egress_credentials_invalid: failed(
    'The credential of {operation} cannot be sent: it {what}. Nothing was sent.',
    500,
    'operator',
  ),
  egress_handler_missing: failed(
    '{operation} is served by handlers only and none is registered. Use EgressHandlers.on().',
    500,
    'developer',
  ),
  egress_handlers_forbidden: failed(
    'In-process handlers are off in production. Set `allowHandlers: true` in EgressHttpModule.forRoot.',
    500,
    'developer',
  ),
  egress_cancelled: failed('{operation} was cancelled by its caller.', 499, 'host'),

  // egress: what came back
  egress_rejected: refused('{operation} was refused by its upstream with status {status}.', 422),
  egress_credentials_rejected: failed(
    'The upstream of {operation} refused our credential with status {status}.',
    502,
    'operator',
  ),
  egress_redirect_refused: failed(
    '{operation} was answered with the redirect {status}, which is not followed.',
    502,
    'operator',
  ),
  egress_throttled: failed('The upstream of {operation} is throttling: status {status}.', 503, 'host', true),
  egress_unavailable: failed('The upstream of {operation} failed: {what}.', 502, 'host', true),
  egress_timeout: failed('{operation} took longer than its {timeoutMs} ms: {what}.', 504, 'host', true),
  egress_response_invalid: failed('The reply to {operation} is not what was declared: {what}.', 502, 'host'),
  egress_response_too_large: failed('The reply to {operation} is larger than {maxBytes} bytes.', 502, 'host'),
  egress_stream_interrupted: failed('The reply to {operation} broke off: {what}.', 502, 'host', true),

  // models: what came back of a call that the provider took
  model_interrupted: failed('The reply of {model} broke off: {what}. No tool of it is run.', 502, 'host', true),
  model_rejected: failed('The provider of {model} refused inside its reply: {what}.', 502, 'host'),
  model_reply_invalid: failed('{model} answered with what is no reply: {what}.', 502, 'host'),

  // query
  field_not_filterable: refused('The query filters by a field that it may not filter by. `allowed` lists the others.'),
  field_not_sortable: refused('The query sorts by a field that it may not sort by. `allowed` lists the others.'),
  field_not_aggregatable: refused(
    'The query aggregates a field that it may not aggregate so. `allowed` lists the others.',
  ),
  field_not_returnable: refused('The query selects a field that it may not return. `allowed` lists the others.'),
  field_not_on_read_model: refused('The query names a field that there is none of here. `allowed` lists the others.'),
  filter_operator_unknown: refused('The filter uses an operator that does not exist. `allowed` lists the others.'),
  filter_operator_not_allowed: refused(
    'The filter uses an operator that the field does not have here. `allowed` lists the others.',
  ),
  filter_operand_invalid: refused(
    'A value of the filter does not fit its field and operator. `allowed` says what does.',
  ),
  filter_shape_invalid: refused('The query is not built as its schema says. `allowed` says what may stand there.'),
  filter_depth_exceeded: refused('The filter is nested deeper than `allowed` says.'),
  filter_clauses_exceeded: refused('The query has more conditions than `allowed` says. Ask for less at once.'),
  filter_list_exceeded: refused('A list of the filter is longer than `allowed` says. Split it.'),
  filter_pattern_invalid: refused(
    'A pattern of the filter cannot be used: too long, or not of its syntax. `allowed` says what can.',
  ),
  sort_invalid: refused('A sort is neither a direction nor { dir, nulls }. `allowed` lists what may stand there.'),
  page_invalid: refused('`page` or `size` is out of range. `allowed` states the smallest and the largest.'),
  cursor_invalid: refused('The cursor is not one of this query. Start from the first page.'),
  aggregate_function_unknown: refused(
    'The query computes with a function that it may not use. `allowed` lists the others.',
  ),
  aggregate_shape_invalid: refused(
    'The aggregate is not built as its schema says. `allowed` says what may stand there.',
  ),
  aggregate_alias_invalid: refused(
    'A name for a group or a computed value cannot be used, or is used twice. `allowed` says what can.',
  ),
  query_unsupported_by_store: refused('The store cannot run this query. `allowed` lists what it can.'),
  query_store_base_unsupported: failed('{store} was given a base that it cannot stand on: {what}.', 500, 'developer'),
  query_result_opaque: failed(
    '{operation} answers with bytes, in which `returnable` cannot be kept. Answer with rows.',
    500,
    'developer',
  ),
  query_cursor_unfit: failed(
    'A row of {readModel} has a sort key ({fields}) that no cursor can carry: a text too long, or one that is not well-formed. Do not sort by it.',
    500,
    'developer',
  ),

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

export type ErrorCode = keyof typeof ERROR_CODES;

/** Values for the placeholders of a message template. */
export type MessageParameters = Readonly<Record<string, string | number>>;

/** Fills the message template of a code. A placeholder without a value stays visible, so that a test sees it. */
export function errorMessage(code: ErrorCode, parameters: MessageParameters = {}): string {
  return ERROR_CODES[code].message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : placeholder,
  );
}
