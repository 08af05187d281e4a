import { describe, expect, it, jest } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { CallBudget } from './call-budget.js';

const call = { service: 'api', operation: 'read' };
const limits = { timeoutMs: 10_000, idleTimeoutMs: 10_000 };
const never = new Promise<never>(() => undefined);

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('CallBudget', () => {
  it('lets a promise settle as it does', async () => {
    const budget = new CallBudget(call, limits, {});
    await expect(budget.within(Promise.resolve(1))).resolves.toBe(1);
    await expect(budget.withinIdle(Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(budget.failure).toBeUndefined();
    budget.end();
  });

  it('fails when the whole time is over', async () => {
    const budget = new CallBudget(call, { ...limits, timeoutMs: 20 }, {});
    await expect(budget.within(never)).rejects.toMatchObject({ code: 'egress_timeout', retryable: true });
    expect(budget.signal.aborted).toBe(true);
    await expect(budget.within(never)).rejects.toMatchObject({ code: 'egress_timeout' });
  });

  it('fails when a chunk takes too long, however long there is for the whole', async () => {
    const budget = new CallBudget(call, { ...limits, idleTimeoutMs: 20 }, {});
    await expect(budget.withinIdle(never)).rejects.toMatchObject({ code: 'egress_timeout' });
    expect(budget.failure?.message).toContain('20 ms');
  });

  it('takes the time-out of the call in place of the service, in both directions', async () => {
    const shorter = new CallBudget(call, limits, { timeoutMs: 20 });
    await expect(shorter.within(never)).rejects.toMatchObject({ code: 'egress_timeout' });
    const longer = new CallBudget(call, { ...limits, timeoutMs: 10 }, { timeoutMs: 10_000 });
    await after(30);
    expect(longer.failure).toBeUndefined();
    longer.end();
  });

  it('tells a deadline from a time-out', async () => {
    const budget = new CallBudget(call, limits, { deadline: Date.now() + 20 });
    await expect(budget.within(never)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it.each([{ deadline: 0 }, { deadline: Number.NaN }, { timeoutMs: 0 }, { timeoutMs: -1 }, { timeoutMs: Number.NaN }])(
    'is spent before it begins with %j',
    (options) => {
      const budget = new CallBudget(call, limits, options);
      expect(budget.failure).toMatchObject({ code: 'deadline_exceeded' });
    },
  );

  it('does not fire at once for times that no timer holds', async () => {
    const budget = new CallBudget(call, limits, { timeoutMs: Infinity, deadline: 8.64e15 });
    await after(20);
    expect(budget.failure).toBeUndefined();
    budget.end();
  });

  it('fails with its caller, also with one that left before', async () => {
    const parent = new AbortController();
    const budget = new CallBudget(call, limits, { signal: parent.signal });
    const waiting = budget.within(never);
    parent.abort(new Error('a reason of the caller'));
    await expect(waiting).rejects.toMatchObject({ code: 'egress_cancelled' });
    expect(new CallBudget(call, limits, { signal: parent.signal }).failure).toMatchObject({ code: 'egress_cancelled' });
  });

  it('shares one listener on a signal that outlives it, and leaves neither it nor a timer', () => {
    const parent = new AbortController();
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const budgets = Array.from({ length: 20 }, () => new CallBudget(call, limits, { signal: parent.signal }));
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1);
    budgets.slice(10).forEach((budget) => budget.end());
    budgets.slice(0, 10).forEach((budget) => budget.fail(new Error('x') as never));
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0);
    expect(cleared).toHaveBeenCalledTimes(20);
  });

  it('fails when the head of an answer takes too long, where that is limited', async () => {
    const limited = new CallBudget(call, { ...limits, headersTimeoutMs: 20 }, {});
    await expect(limited.withinHead(never)).rejects.toMatchObject({ code: 'egress_timeout' });
    const unlimited = new CallBudget(call, limits, {});
    await expect(unlimited.withinHead(after(30))).resolves.toBeUndefined();
    unlimited.end();
  });

  it('says what is left, and pauses no longer than that', async () => {
    const budget = new CallBudget(call, limits, { timeoutMs: 60 });
    expect(budget.remainingMs).toBeGreaterThan(0);
    expect(budget.remainingMs).toBeLessThanOrEqual(60);
    await expect(budget.pause(1)).resolves.toBeUndefined();
    await expect(budget.pause(10_000)).rejects.toMatchObject({ code: 'egress_timeout' });
    expect(budget.remainingMs).toBeLessThanOrEqual(1);
  });

  it('keeps its first failure', () => {
    const budget = new CallBudget(call, limits, {});
    budget.fail(new Error('first') as never);
    budget.fail(new Error('second') as never);
    expect(budget.failure?.message).toBe('first');
  });
});
