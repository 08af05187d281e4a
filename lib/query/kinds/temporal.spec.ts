import { describe, expect, it } from '@jest/globals';
import { formatDatetime, parseDate, parseDatetime, parseZone } from './temporal.js';

describe('dates', () => {
  it.each(['2024-02-29', '0001-01-01', '9999-12-31', '2000-02-29'])('reads %s', (text) => {
    expect(parseDate(text)).toBe(text);
  });

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2024-13-01',
    '2024-00-01',
    '2024-04-31',
    '2024-01-00',
    '0000-01-01',
    '24-1-1',
    '',
  ])('reads nothing in "%s"', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });
});

describe('dates with a time', () => {
  it.each([
    ['2024-03-31T01:30:00Z', '2024-03-31T01:30:00.000Z'],
    ['2024-03-31T03:30:00+02:00', '2024-03-31T01:30:00.000Z'],
    ['2024-01-01T00:00-05:30', '2024-01-01T05:30:00.000Z'],
    ['2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00.500Z'],
    ['2024-01-01T00:00:00.123456Z', '2024-01-01T00:00:00.123456Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('reads %s as %s', (text, canonical) => {
    expect(formatDatetime(parseDatetime(text, 'UTC') as number)).toBe(canonical);
  });

  it('reads a time without a zone in the zone given', () => {
    expect(parseDatetime('2024-01-01T00:00:00', '+02:00')).toBe(Date.parse('2023-12-31T22:00:00Z'));
    expect(parseDatetime('2024-01-01T00:00:00Z', '+02:00')).toBe(Date.parse('2024-01-01T00:00:00Z'));
  });

  it.each([
    '2024-01-01',
    '2024-01-01T24:00:00Z',
    '2024-01-01T23:60:00Z',
    '2024-01-01T23:59:60Z',
    '2024-02-30T00:00:00Z',
    '2024-01-01 00:00:00Z',
    '2024-01-01T00:00:00.1234567Z',
    '2024-01-01T00:00:00+15:00',
    '2024-01-01T00:00:00+2',
    'yesterday',
  ])('reads nothing in "%s"', (text) => {
    expect(parseDatetime(text, 'UTC')).toBeUndefined();
  });

  it('knows offsets and UTC, and no names', () => {
    expect([parseZone('UTC'), parseZone('-03:30'), parseZone('Europe/Berlin')]).toEqual([0, -210, undefined]);
  });
});
