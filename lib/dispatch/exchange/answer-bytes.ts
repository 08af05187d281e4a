const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * The body within the bytes that a response wrote: what follows its head. Informational responses (100 to 199) may
 * stand before the head; a body in chunks is put together.
 */
export function answerBody(bytes: Buffer, isChunked: boolean): Buffer {
  let rest = bytes;
  for (let isInformational = true; isInformational;) {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) return Buffer.alloc(0);
    isInformational = /^HTTP\/1\.1 1\d\d/.test(rest.toString('latin1', 0, 12));
    rest = rest.subarray(end + HEAD_END.length);
  }
  return isChunked ? joinChunks(rest) : rest;
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
