const HEAD_END = Buffer.from('\r\n\r\n');
// The pattern by which Node decides to write chunks.
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

export interface AnswerHead {
  readonly status: number;
  /** Lower-case names; a repeated header has its values joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer extends AnswerHead {
  readonly body: Buffer;
}

/**
 * Reads the bytes that a response wrote. They are the only place that has every header: Fastify writes a head that
 * `response.getHeaders()` never sees. A body in chunks is put together. Undefined where there is no complete head, or less of a
 * body than the head says.
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const read = readHead(bytes);
  if (read === undefined) return undefined;
  const { status, headers, rest } = read;
  const body = CHUNKED.test(headers['transfer-encoding'] ?? '') ? joinChunks(rest) : rest;
  return isCut(headers, body) ? undefined : { status, headers, body };
}

/** The head alone, and what follows it. Informational responses (100 to 199) may stand before it. */
export function readHead(bytes: Buffer): (AnswerHead & { readonly rest: Buffer }) | undefined {
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) return undefined;
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(statusLine.split(' ', 2)[1]);
    rest = rest.subarray(end + HEAD_END.length);
    if (status >= 200) return { status, headers: readHeaders(lines), rest };
  }
}

/** Shorter than it says. An empty body is whole: that of an answer to HEAD has the length of the one it stands for. */
function isCut(headers: Answer['headers'], body: Buffer): boolean {
  return body.length > 0 && body.length < Number(headers['content-length'] ?? 0);
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', position);
    const size = lineEnd === -1 ? 0 : Number.parseInt(bytes.toString('latin1', position, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    position = lineEnd + 2 + size + 2;
  }
}
