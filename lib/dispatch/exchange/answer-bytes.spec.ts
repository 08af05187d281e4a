import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './answer-bytes.js';

function read(text: string): { status: number; headers: object; body: string } | undefined {
  const answer = readAnswer(Buffer.from(text));
  return answer && { ...answer, body: answer.body.toString() };
}

describe('readAnswer', () => {
  it('reads status, headers and body', () => {
    expect(
      read('HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nVary: a\r\nvary: b\r\n\r\nbody\r\n\r\nmore'),
    ).toEqual({
      status: 404,
      headers: { 'content-type': 'text/plain', vary: 'a, b' },
      body: 'body\r\n\r\nmore',
    });
  });

  it('skips informational responses', () => {
    const text = 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody';
    expect(read(text)).toEqual({ status: 200, headers: {}, body: 'body' });
  });

  it.each(['chunked', 'Chunked', 'gzip, chunked'])('joins chunks: %s', (coding) => {
    const text = `HTTP/1.1 200 OK\r\ntransfer-encoding: ${coding}\r\n\r\n4\r\nfour\r\nb;x=y\r\n eleven mor\r\n0\r\n\r\n`;
    expect(read(text)?.body).toBe('four eleven mor');
  });

  it.each([
    ['the whole body', '4', 'four', 'four'],
    ['no body, in the answer to HEAD', '4', '', ''],
    ['less than the head says', '5', 'four', undefined],
  ])('takes an answer with %s', (_what, length, body, expected) => {
    expect(read(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`)?.body).toBe(expected);
  });

  it('is undefined where there is no head', () => {
    expect(read('nothing')).toBeUndefined();
  });
});
