import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { unpackAnswer } from './unpack-answer.js';

const TEXT = 'Grüße '.repeat(1_000);
const BYTES = Buffer.from(TEXT);

function answer(coding: string | undefined, body: Buffer) {
  return {
    status: 200,
    headers: { etag: '"1"', ...(coding === undefined ? {} : { 'content-encoding': coding }) },
    body,
  };
}

describe('unpacking an answer', () => {
  it.each([
    ['gzip', gzipSync(BYTES)],
    [' GZIP ', gzipSync(BYTES)],
    ['x-gzip', gzipSync(BYTES)],
    ['deflate', deflateSync(BYTES)],
    ['br', brotliCompressSync(BYTES)],
  ])('takes off %s, and its header', (coding, body) => {
    expect(unpackAnswer(answer(coding, body), 10_000)).toEqual({ status: 200, headers: { etag: '"1"' }, body: BYTES });
  });

  it.each([
    ['no coding', undefined, BYTES],
    ['identity', 'identity', BYTES],
    ['a coding that is not known', 'pack200-gzip', BYTES],
    ['several codings', 'gzip, br', BYTES],
    ['an inherited name', 'constructor', BYTES],
    ['an empty body, that of HEAD say', 'gzip', Buffer.alloc(0)],
  ])('leaves %s as it is', (_what, coding, body) => {
    expect(unpackAnswer(answer(coding, body), 10_000)).toEqual(answer(coding, body));
  });

  it('stops at the limit, whatever a few bytes would unpack to', () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(unpackAnswer(answer('gzip', bomb), 10_000)).toBeUndefined();
    expect(unpackAnswer(answer('gzip', gzipSync(BYTES)), BYTES.length)).toBeDefined();
  });

  it('throws where the body is not of its coding', () => {
    expect(() => unpackAnswer(answer('gzip', BYTES), 10_000)).toThrow();
  });
});
