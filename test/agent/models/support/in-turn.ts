import type { Answer } from '../../../egress/support/upstream.js';

/** Answers each request with the next of these; what comes after the last is not found. */
export function inTurn(...answers: readonly Answer[]): Answer {
  const left = [...answers];
  return (response, request) => {
    const next = left.shift();
    if (next !== undefined) return next(response, request);
    response.writeHead(404);
    response.end();
  };
}
