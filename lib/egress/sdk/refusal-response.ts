import type { EgressError } from '../egress-error.js';

/**
 * A refusal as an answer: SDKs try again after a fetch that throws, and not after status 400. Its body has the shape that
 * the SDKs of vendors read errors from; `x-egress-error` is the code.
 */
export function refusalResponse(error: EgressError): Response {
  const { code, message, details, upstreamStatus } = error;
  const body = {
    type: 'error',
    error: {
      type: code,
      code,
      message,
      ...(upstreamStatus !== undefined && { upstreamStatus }),
      ...(details !== undefined && { details }),
    },
  };
  return Response.json(body, { status: 400, headers: { 'x-should-retry': 'false', 'x-egress-error': code } });
}
