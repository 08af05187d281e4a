import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallBudget } from './call-budget.js';

const NOW = 1_000_000;
const DAY_MS = 86_400_000;

describe('the budget of a call', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const codeOf = (act: () => void): string | undefined => {
    try {
      act();
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it.each([
    ['its own time', 100, undefined, NOW + 100],
    ["its caller's deadline", 100, NOW + 40, NOW + 40],
    ['its own time, where its caller has more', 100, NOW + 400, NOW + 100],
  ])('ends at %s', (_what, timeoutMs, callerDeadline, deadline) => {
    const budget = new CallBudget(timeoutMs, callerDeadline, undefined);
    expect(budget.deadline).toBe(deadline);
    jest.advanceTimersByTime(deadline - NOW - 1);
    expect([budget.signal.aborted, codeOf(() => budget.throwIfEnded('x'))]).toEqual([false, undefined]);
    jest.advanceTimersByTime(1);
    expect([budget.signal.aborted, codeOf(() => budget.throwIfEnded('x'))]).toEqual([true, 'deadline_exceeded']);
  });

  it.each([
    ['over', NOW],
    ['long over', NOW - 1_000],
    ['no number', Number.NaN],
  ])('has no time where the deadline of its caller is %s', (_what, callerDeadline) => {
    const budget = new CallBudget(100, callerDeadline, undefined);
    expect(codeOf(() => budget.throwIfEnded('x'))).toBe('deadline_exceeded');
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['longer than a timer can hold', 60 * DAY_MS],
    ['without end', Number.POSITIVE_INFINITY],
  ])('may be %s', (_what, timeoutMs) => {
    const budget = new CallBudget(timeoutMs, undefined, undefined);
    jest.advanceTimersByTime(50 * DAY_MS);
    expect(budget.signal.aborted).toBe(false);
    jest.advanceTimersByTime(10 * DAY_MS);
    expect(budget.signal.aborted).toBe(timeoutMs !== Number.POSITIVE_INFINITY);
    budget.release();
  });

  it('goes by the clock, whenever its timer fires', () => {
    const budget = new CallBudget(100, undefined, undefined);
    jest.setSystemTime(NOW - 30);
    jest.advanceTimersByTime(100);
    expect(budget.signal.aborted).toBe(false);
    jest.advanceTimersByTime(30);
    expect(budget.signal.aborted).toBe(true);
  });

  it('is spent when the clock says so, also before its timer fires', () => {
    const budget = new CallBudget(100, undefined, undefined);
    jest.setSystemTime(NOW + 99);
    expect(codeOf(() => budget.throwIfSpent('x'))).toBeUndefined();
    jest.setSystemTime(NOW + 100);
    expect(codeOf(() => budget.throwIfEnded('x'))).toBeUndefined();
    expect(codeOf(() => budget.throwIfSpent('x'))).toBe('deadline_exceeded');
  });

  it('ends with its caller, and says so', () => {
    const controller = new AbortController();
    const budget = new CallBudget(100, undefined, controller.signal);
    expect(codeOf(() => budget.throwIfEnded('x'))).toBeUndefined();
    controller.abort();
    jest.advanceTimersByTime(200);
    expect([budget.signal.aborted, codeOf(() => budget.throwIfSpent('x'))]).toEqual([true, 'dispatch_cancelled']);
    expect(codeOf(() => new CallBudget(100, undefined, controller.signal).throwIfEnded('x'))).toBe(
      'dispatch_cancelled',
    );
  });

  it('lets go of timer and caller', () => {
    const controller = new AbortController();
    const budget = new CallBudget(100, undefined, controller.signal);
    budget.release();
    controller.abort();
    expect([jest.getTimerCount(), budget.signal.aborted]).toEqual([0, false]);
  });
});
