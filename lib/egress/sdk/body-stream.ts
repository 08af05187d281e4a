import type { ResponseBody } from '../call/response-body.js';
import { EgressError, type EgressCallName } from '../egress-error.js';
import { EventBoundary } from '../stream/event-boundary.js';

/**
 * The body of an answer as SDKs read it: a chunk when one is asked for, so that a slow reader slows the upstream. It closes
 * cleanly only where the reply was complete. Everything else errors it with an `EgressError`, and never with an
 * `AbortError`, which SDKs take for the end of the answer; but whoever aborted is told their own reason.
 */
export function bodyStream(
  body: ResponseBody,
  call: EgressCallName,
  headers: Headers,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const end = isEventStream(headers) ? new EventStreamEnd(call) : undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await body.read().catch((error: unknown) => {
          throw signal?.aborted === true ? signal.reason : error;
        });
        if (chunk === undefined) {
          end?.check();
          controller.close();
        } else {
          end?.observe(chunk);
          controller.enqueue(chunk);
        }
      },
      cancel: () => body.close(new EgressError('egress_cancelled', call)),
    },
    { highWaterMark: 0 },
  );
}

function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** An event stream whose HTTP ends well inside an event was cut by somebody on the way: SDKs drop the half event in silence. */
class EventStreamEnd {
  readonly #boundary = new EventBoundary();
  readonly #text = new TextDecoder();

  constructor(private readonly call: EgressCallName) {}

  observe(chunk: Uint8Array): void {
    this.#boundary.observe(this.#text.decode(chunk, { stream: true }));
  }

  check(): void {
    if (!this.#boundary.isInsideEvent) return;
    const parameters = { what: 'it ended inside an event' };
    throw new EgressError('egress_stream_interrupted', this.call, { parameters });
  }
}
