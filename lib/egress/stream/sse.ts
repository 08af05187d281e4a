import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { EgressError } from '../egress-error.js';
import { DecodedStream, type EgressItems, type StreamDecoder } from './decoded-stream.js';
import type { EgressStream } from './egress-stream.js';
import { EventBoundary } from './event-boundary.js';

/** One server-sent event. */
export interface ServerSentEvent {
  /** The event's type; undefined where the upstream named none. */
  readonly event: string | undefined;
  readonly data: string;
  readonly id: string | undefined;
}

export interface SseOptions {
  /**
   * What ends the stream. A string is a sentinel such as `[DONE]`: the event whose data is exactly that ends it and is not
   * yielded, as it says nothing else. A function is asked about each event, and the one it accepts is yielded as the last.
   * A stream that ends earlier is `egress_stream_interrupted`. Default: the end of the reply.
   */
  readonly until?: string | ((event: ServerSentEvent) => boolean);
  /** Takes the end of the reply for the end of the stream, whatever was seen before it. Default false. */
  readonly lenientEof?: boolean;
}

/**
 * The server-sent events of a stream, wherever its chunks are cut.
 *
 * @throws EgressError `egress_stream_interrupted` where the reply ends before `until`, or inside an event.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @example for await (const event of sse(client.stream(chat, args), { until: '[DONE]' })) use(JSON.parse(event.data));
 */
export function sse(stream: EgressStream, options: SseOptions = {}): EgressItems<ServerSentEvent> {
  return new DecodedStream(stream, new SseDecoder(stream, options));
}

class SseDecoder implements StreamDecoder<ServerSentEvent> {
  isFinished = false;
  #events: ServerSentEvent[] = [];
  readonly #text = new TextDecoder();
  readonly #boundary = new EventBoundary();
  readonly #parser = createParser({ onEvent: (message) => this.#take(message) });

  constructor(
    private readonly stream: EgressStream,
    private readonly options: SseOptions,
  ) {}

  push(chunk: Uint8Array): readonly ServerSentEvent[] {
    this.#feed(this.#text.decode(chunk, { stream: true }));
    return this.#taken();
  }

  end(): readonly ServerSentEvent[] {
    this.#feed(this.#text.decode());
    // The parser waits for the other half of a line break that the end of the reply makes whole.
    if (this.#boundary.endsWithReturn) this.#feed('\n');
    const { until, lenientEof = false } = this.options;
    if (lenientEof) this.#feed('\n\n');
    else if (until !== undefined) throw this.#interrupted('it ended before the event that ends it');
    else if (this.#boundary.isInsideEvent) throw this.#interrupted('it ended inside an event');
    return this.#taken();
  }

  #feed(text: string): void {
    this.#parser.feed(text);
    this.#boundary.observe(text);
  }

  #taken(): readonly ServerSentEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #take(message: EventSourceMessage): void {
    if (this.isFinished) return;
    const event = { event: message.event, data: message.data, id: message.id };
    const { until } = this.options;
    this.isFinished = typeof until === 'function' ? until(event) : event.data === until;
    if (!this.isFinished || typeof until === 'function') this.#events.push(event);
  }

  #interrupted(what: string): EgressError {
    return new EgressError('egress_stream_interrupted', this.stream, { parameters: { what } });
  }
}
