import { EgressError } from '../egress-error.js';
import { DecodedStream, type EgressItems, type StreamDecoder } from './decoded-stream.js';
import type { EgressStream } from './egress-stream.js';

/**
 * The JSON values of a stream of lines, wherever its chunks are cut. Empty lines are skipped; a last line without a line
 * break is taken if it is a whole object or list.
 *
 * @throws EgressError `egress_response_invalid` for a line that is not JSON, `egress_stream_interrupted` where the reply ends
 * inside a line.
 * @see https://github.com/ndjson/ndjson-spec
 */
export function ndjson(stream: EgressStream): EgressItems<unknown> {
  return new DecodedStream(stream, new NdjsonDecoder(stream));
}

class NdjsonDecoder implements StreamDecoder<unknown> {
  readonly isFinished = false;
  readonly #text = new TextDecoder('utf-8', { fatal: true });
  /** Pieces of the line that is not over yet; joined once, since a line may come in very many. */
  #line: string[] = [];

  constructor(private readonly stream: EgressStream) {}

  push(chunk: Uint8Array): readonly unknown[] {
    const [first = '', ...rest] = this.#decode(chunk).split('\n');
    this.#line.push(first);
    if (rest.length === 0) return [];
    const lines = [this.#line.join(''), ...rest.slice(0, -1)];
    this.#line = rest.slice(-1);
    return lines.filter((line) => line.trim() !== '').map((line) => this.#parse(line));
  }

  end(): readonly unknown[] {
    const line = this.#line.join('') + this.#rest();
    if (line.trim() === '') return [];
    const value = parsed(line);
    // A number that was cut is a number still; an object is whole or no JSON.
    if (typeof value === 'object' && value !== null) return [value];
    throw this.#interrupted();
  }

  #decode(chunk: Uint8Array): string {
    try {
      return this.#text.decode(chunk, { stream: true });
    } catch {
      throw this.#invalid('it is not UTF-8');
    }
  }

  #rest(): string {
    try {
      return this.#text.decode();
    } catch {
      throw this.#interrupted();
    }
  }

  #parse(line: string): unknown {
    const value = parsed(line);
    if (value === undefined) throw this.#invalid('a line is not JSON');
    return value;
  }

  #invalid(what: string): EgressError {
    return new EgressError('egress_response_invalid', this.stream, { parameters: { what } });
  }

  #interrupted(): EgressError {
    return new EgressError('egress_stream_interrupted', this.stream, {
      parameters: { what: 'it ended inside a line' },
    });
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
