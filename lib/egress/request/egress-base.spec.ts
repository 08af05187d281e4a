import { describe, expect, it } from '@jest/globals';
import { parseEgressBase } from './egress-base.js';

describe('parseEgressBase', () => {
  it.each([
    ['https://api.example.com', { origin: 'https://api.example.com', path: '', isHttps: true, isLoopback: false }],
    ['https://api.example.com/', { origin: 'https://api.example.com', path: '' }],
    ['https://api.example.com/v1/', { host: 'api.example.com', path: '/v1' }],
    ['https://api.example.com:8443/a/b', { host: 'api.example.com:8443', path: '/a/b' }],
    ['http://localhost:3000', { isHttps: false, isLoopback: true }],
    ['http://127.9.0.1', { isLoopback: true }],
    ['http://[::1]:3000', { isLoopback: true }],
    ['http://127.evil.test', { isLoopback: false }],
    ['http://localhost.evil.test', { isLoopback: false }],
    ['http://169.254.169.254', { isLoopback: false }],
  ])('takes %s', (url, expected) => {
    expect(parseEgressBase(url)).toMatchObject({ base: expected });
  });

  it.each([
    undefined,
    null,
    42,
    '',
    ' ',
    'api.example.com',
    'localhost:3000',
    '/v1',
    '//api.example.com',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'https:/api.example.com',
    'https://',
    'https:///api.example.com',
    'https://user:hunter2@api.example.com',
    'https://user@api.example.com',
    'https://@api.example.com',
    'https://api.example.com?key=hunter2',
    'https://api.example.com/v1?',
    'https://api.example.com/v1#x',
    'https://api.example.com/v1/../admin',
    'https://api.example.com/v1/%2e%2e/admin',
    'https://api.example.com//v1',
    'https://api.example.com/v1//',
    'https://api.example.com\\v1',
    ' https://api.example.com',
    'https://api.example.com\n',
    'https://API.example.com',
    'https://api.example.com:443',
    'http://2130706433',
    'http://0x7f.1',
    'http://127.1',
    'https://api.exam ple.com',
  ])('refuses %j', (url) => {
    const parsed = parseEgressBase(url);
    expect(parsed).toEqual({ fault: expect.any(String) as unknown });
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });
});
