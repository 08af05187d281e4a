import { failed, refused, type ErrorCodeEntry } from './error-code-entry.js';

/** What a call of an egress service ends with. */
export const EGRESS_CODES = {
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
  egress_address_refused: failed(
    'The host of {operation} has an address that is not public, and its service allows public ones only. Nothing was sent.',
    502,
    'operator',
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

  egress_undeclared: failed(
    'A connection to {destination} is no declared egress and was not opened. Send it through EgressHttpModule, or list it as `infrastructure` of the egress guard.',
    500,
    'developer',
  ),

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
} as const satisfies Record<string, ErrorCodeEntry>;
