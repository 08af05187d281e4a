import type { ServerResponse } from 'node:http';
import type { EgressServiceOptions } from '../../../../lib/egress/index.js';

/** A way in which an event stream is not whole. */
export interface CutAnswer {
  readonly name: string;
  readonly options: Partial<EgressServiceOptions>;
  /** Of the error that the SDK was given. */
  readonly code: string;
  /** What happens after the first events. */
  readonly goOn: (response: ServerResponse) => void;
}

export const CUT_ANSWERS: readonly CutAnswer[] = [
  {
    name: 'the connection breaks',
    options: {},
    code: 'egress_stream_interrupted',
    goOn: (response) => setTimeout(() => response.destroy(), 20),
  },
  {
    name: 'the time of the call is over',
    options: { timeoutMs: 400 },
    code: 'egress_timeout',
    goOn: () => undefined,
  },
  { name: 'nothing comes any more', options: { idleTimeoutMs: 200 }, code: 'egress_timeout', goOn: () => undefined },
  {
    name: 'it is too large',
    options: { maxResponseBytes: 20_000 },
    code: 'egress_response_too_large',
    goOn: (response) => response.write(`: ${'x'.repeat(50_000)}\n\n`),
  },
  {
    name: 'it ends well inside an event',
    options: {},
    code: 'egress_stream_interrupted',
    goOn: (response) => response.end('data: {"half'),
  },
];

export function beginEvents(response: ServerResponse, events: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(events);
}

/** The codes of an error and of everything that caused it. */
export function codesOf(error: unknown): unknown[] {
  const codes: unknown[] = [];
  for (let current = error; typeof current === 'object' && current !== null; current = Reflect.get(current, 'cause')) {
    codes.push(Reflect.get(current, 'code'));
  }
  return codes;
}
