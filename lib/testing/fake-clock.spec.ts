import { describe, expect, it } from '@jest/globals';
import { FakeClock } from './fake-clock.js';

describe('FakeClock', () => {
  it('stands still until it is moved', async () => {
    const clock = new FakeClock(1000);
    expect(clock.now()).toBe(1000);
    await clock.advance(250);
    expect(clock.now()).toBe(1250);
  });

  it('calls back in the order of time, each at its own', async () => {
    const clock = new FakeClock(0);
    const calls: [string, number][] = [];
    clock.after(20, () => calls.push(['later', clock.now()]));
    clock.after(10, () => calls.push(['sooner', clock.now()]));
    clock.after(31, () => calls.push(['not yet', clock.now()]));
    await clock.advance(30);
    expect(calls).toEqual([
      ['sooner', 10],
      ['later', 20],
    ]);
    expect(clock.pending).toBe(1);
  });

  it('calls back what a callback arranged in the meantime, also after a promise', async () => {
    const clock = new FakeClock(0);
    const calls: number[] = [];
    const again = async (): Promise<void> => {
      calls.push(clock.now());
      await Promise.resolve();
      clock.after(10, () => void again());
    };
    clock.after(10, () => void again());
    await clock.advance(35);
    expect(calls).toEqual([10, 20, 30]);
  });

  it('does not call back what was taken back', async () => {
    const clock = new FakeClock(0);
    const takeBack = clock.after(10, () => {
      throw new Error('taken back');
    });
    takeBack();
    await clock.advance(20);
    expect(clock.pending).toBe(0);
  });
});
