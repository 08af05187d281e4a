import { boot, type ErrorCodeEntry } from './error-code-entry.js';

/** What is found at boot. */
export const BOOT_CODES = {
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
  approval_authorizer_missing: boot(
    'ApprovalsModule has no `authorizer`: anybody could approve. Say who may, or say `publicApprovals()`.',
  ),
  approvals_options_invalid: boot('ApprovalsModule: `{key}` {what}.'),
  palette_unknown: boot(
    'No palette is named "{palette}". Declare it in OperationsModule.forFeature({ palettes: [...] }).',
  ),

  operation_enhancers_skipped: boot(
    '{operation} answers messages through a microservice without the global guards, pipes, interceptors and filters of the application. Connect it with `{ inheritAppConfig: true }`.',
  ),
  dispatch_header_forbidden: boot(
    'The header "{header}" describes one message or connection and cannot be forwarded. Remove it from `forwardHeaders`.',
  ),
  dispatch_options_invalid: boot('Dispatch: `{key}` {what}.'),

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
  query_needs_http: boot(
    '{where} takes a query of {readModel} from {what}, which carries none that is read: every call would ask for everything. Put the query on a method of its own that is an HTTP route (@Post, @Get).',
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
} as const satisfies Record<string, ErrorCodeEntry>;
