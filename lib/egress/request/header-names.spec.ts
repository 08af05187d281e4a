import { describe, expect, it } from '@jest/globals';
import { isHeaderValue, withoutReservedHeaders } from './header-names.js';

describe('withoutReservedHeaders', () => {
  it('keeps ordinary headers and drops credentials, framing, baggage and trace state', () => {
    const headers = new Headers({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-tenant': 'acme',
      traceparent: '00-1-2-01',
      Authorization: 'Bearer other',
      Cookie: 'session=1',
      'X-Api-Key': 'other',
      'content-length': '5',
      host: 'evil.test',
      connection: 'close',
      'transfer-encoding': 'chunked',
      baggage: 'user=1',
      tracestate: 'vendor=1',
    });
    expect([...withoutReservedHeaders(headers).keys()]).toEqual(['accept', 'content-type', 'traceparent', 'x-tenant']);
  });
});

describe('isHeaderValue', () => {
  it.each(['a', 'a b', 'Bearer abc.def-ghi_jkl', '2024-01-01'])('takes %j', (value) => {
    expect(isHeaderValue(value)).toBe(true);
  });

  it.each(['', ' a', 'a ', 'a\n', 'a\r\nx: y', 'a\u0000', 'ü', '\ud800'])('refuses %j', (value) => {
    expect(isHeaderValue(value)).toBe(false);
  });
});
