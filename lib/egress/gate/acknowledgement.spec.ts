import { describe, expect, it } from '@jest/globals';
import { readAcknowledgement } from './acknowledgement.js';

const now = Date.parse('2025-06-15T12:00:00Z');
const whole = { by: 'data protection officer', reason: 'provider has a contract', on: '2025-01-31' };

describe('readAcknowledgement', () => {
  it('takes true, and a complete acknowledgement', () => {
    expect(readAcknowledgement(true, now)).toEqual({ accepted: true });
    expect(readAcknowledgement(whole, now)).toEqual({ accepted: whole });
    expect(readAcknowledgement({ ...whole, other: 'dropped' }, now)).toEqual({ accepted: whole });
  });

  it('takes nothing and false for a refusal without a problem', () => {
    expect(readAcknowledgement(undefined, now)).toEqual({ accepted: false });
    expect(readAcknowledgement(false, now)).toEqual({ accepted: false });
  });

  it.each([
    ['true', 'is a string and not a boolean'],
    ['false', 'is a string and not a boolean'],
    ['', 'is a string and not a boolean'],
    [1, 'is a number and not a boolean'],
    [0, 'is a number and not a boolean'],
    [null, 'is null and not a boolean'],
    [[whole], 'is a list and not a boolean'],
    [new Boolean(true), 'is an object and not a boolean'],
    [() => true, 'is a function and not a boolean'],
    [{}, 'says nothing in `by`'],
    [{ ...whole, by: ' ' }, 'says nothing in `by`'],
    [{ ...whole, reason: true }, 'says nothing in `reason`'],
    [{ ...whole, on: 'yesterday' }, 'has no date in `on`: write YYYY-MM-DD'],
    [{ ...whole, on: '2025-02-31' }, 'has no date in `on`: write YYYY-MM-DD'],
    [{ ...whole, on: new Date() }, 'has no date in `on`: write YYYY-MM-DD'],
    [{ ...whole, expires: 'never' }, 'has no date in `expires`: write YYYY-MM-DD'],
    [{ ...whole, expires: null }, 'has no date in `expires`: write YYYY-MM-DD'],
    [{ ...whole, expires: '2025-06-14' }, 'has expired'],
    [{ ...whole, expires: '2025-06-15T11:59:59Z' }, 'has expired'],
  ])('refuses %j', (value, problem) => {
    expect(readAcknowledgement(value, now)).toEqual({ accepted: false, problem });
  });

  it('holds to the end of the last day', () => {
    expect(readAcknowledgement({ ...whole, expires: '2025-06-15' }, now)).toMatchObject({ accepted: whole });
    expect(readAcknowledgement({ ...whole, expires: '2025-06-15T14:01:00+02:00' }, now)).toMatchObject({
      accepted: whole,
    });
  });

  it('does not find inherited properties', () => {
    const value = Object.assign(Object.create(null) as object, { reason: 'x', on: '2025-01-01' });
    expect(readAcknowledgement(value, now)).toEqual({ accepted: false, problem: 'says nothing in `by`' });
  });
});
