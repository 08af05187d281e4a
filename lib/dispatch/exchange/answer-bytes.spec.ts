import { describe, expect, it } from '@jest/globals';
import { answerBody } from './answer-bytes.js';

describe('answerBody', () => {
  it('is what follows the head', () => {
    expect(answerBody(Buffer.from('HTTP/1.1 200 OK\r\na: b\r\n\r\nbody\r\n\r\nmore'), false).toString()).toBe(
      'body\r\n\r\nmore',
    );
  });

  it('skips informational responses', () => {
    const bytes = 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody';
    expect(answerBody(Buffer.from(bytes), false).toString()).toBe('body');
  });

  it('joins chunks', () => {
    const bytes = 'HTTP/1.1 200 OK\r\n\r\n4\r\nfour\r\nb;x=y\r\n eleven more\r\n0\r\n\r\n';
    expect(answerBody(Buffer.from(bytes), true).toString()).toBe('four eleven mor');
  });

  it('is empty where there is no head', () => {
    expect(answerBody(Buffer.from('nothing'), false)).toHaveLength(0);
  });
});
