/** A piece of a body. Text is sent as UTF-8. */
export type EgressChunk = string | Uint8Array;

export type EgressChunks = Iterable<EgressChunk> | AsyncIterable<EgressChunk>;

/** The head of an answer: status 200 to 599, and headers. */
export interface EgressReplyHead {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An answer of an in-process handler that is more than a JSON value: a status, headers, or a body in chunks that are cut
 * where the handler cuts them.
 */
export class EgressReply {
  private constructor(
    readonly body: { readonly json: unknown } | { readonly chunks: EgressChunks },
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** An answer with a status and, if there is one, a JSON body. @example EgressReply.status(429, { message: 'later' }) */
  static status(status: number, json?: unknown, headers: Readonly<Record<string, string>> = {}): EgressReply {
    return new EgressReply({ json }, status, headers);
  }

  /** An answer whose body arrives in these pieces. If the iterable throws, the connection breaks. */
  static chunks(chunks: EgressChunks, head: EgressReplyHead = {}): EgressReply {
    return new EgressReply({ chunks }, head.status ?? 200, head.headers ?? {});
  }
}
