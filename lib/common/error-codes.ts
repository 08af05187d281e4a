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
  operation_not_a_route: boot('{operation} carries @Operation() but no HTTP verb. Add @Get(), @Post(), ... or remove it.'),
  palette_allowlist_empty: boot('Palette "{palette}" includes nothing. List the operations it may hold in `include`.'),
  palette_operation_unknown: boot(
    'Palette "{palette}" includes "{operation}", which is not an operation. {suggestion}',
  ),
  palette_command_in_read_only: boot(
    'Palette "{palette}" is read-only and includes the command "{operation}". Set `readOnly: false` or leave it out.',
  ),
  palette_operation_sensitive: boot(
    'Palette "{palette}" includes "{operation}", which is marked sensitive. No palette can hold it: leave it out.',
  ),
  palette_name_invalid: boot('"{palette}" is not a palette name. Use letters, digits, "_", "-" and ".", 64 at most.'),
  palette_name_collision: boot('{what} "{name}" is used twice: {first} and {second}. Rename one of them.'),
  palette_policy_widens: boot('Palette "{palette}" widens the query policy of {readModel}: {what}. A palette can only narrow.'),
  palette_unknown: boot('No palette is named "{palette}". Declare it in OperationsModule.forFeature({ palettes: [...] }).'),

  // tool calls: what a model is told
  tool_unknown: refused('No tool of that name is available.', 404),
  tool_arguments_invalid: refused('The arguments do not fit the tool. Each fault is listed in `details`.'),
  tool_arguments_unknown: refused('The tool has no such argument. Each one is listed in `details`.'),
  tool_arguments_too_large: refused('The arguments are larger than {maxBytes} bytes.', 413),
  tool_result_too_large: refused('The result is larger than {maxBytes} bytes. Narrow the request: filter, page or select less.', 413),

  // dispatch
  operation_identity_mismatch: refused('These arguments do not lead to the operation that was called. Use other values.', 404),
  operation_unauthenticated: failed('{operation} refused the caller as not authenticated.', 401, 'host'),
  operation_failed: failed('{operation} failed.', 502, 'host'),
  operation_redirected: failed('{operation} answered with a redirect, which a tool call does not follow.', 502, 'host'),
  dispatch_without_http: failed('Operations are dispatched through an HTTP application; this one has no HTTP adapter.', 500, 'developer'),
  dispatch_recursion: refused('Tool calls are nested more than {maxDepth} deep.', 508),
  dispatch_cancelled: failed('The tool call was cancelled by its caller.', 499, 'host'),
  deadline_exceeded: failed('{operation} took longer than the {timeoutMs} ms it was given.', 504, 'host', true),
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
