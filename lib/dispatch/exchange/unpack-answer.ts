import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Answer } from './answer-bytes.js';

const UNPACK: Readonly<Record<string, typeof unzipSync>> = {
  gzip: unzipSync,
  'x-gzip': unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
};

/**
 * Takes off the coding of a body, as every client does: a tool call asks for none, and an application may still serve what
 * it keeps packed. A coding that we don't know stays, with its header.
 *
 * @returns undefined where the body holds more than `maxBytes`
 * @throws Error where the body is not of its coding
 */
export function unpackAnswer(answer: Answer, maxBytes: number): Answer | undefined {
  const { 'content-encoding': coding = '', ...headers } = answer.headers;
  const name = coding.trim().toLowerCase();
  if (!Object.hasOwn(UNPACK, name) || answer.body.length === 0) return answer;
  try {
    return { ...answer, headers, body: (UNPACK[name] as typeof unzipSync)(answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
