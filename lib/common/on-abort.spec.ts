import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { onAbort } from './on-abort.js';

describe('waiting for the end of a signal', () => {
  it('tells everybody who waits, once, over one listener', () => {
    const controller = new AbortController();
    const told: number[] = [];
    for (let n = 0; n < 50; n++) onAbort(controller.signal, () => told.push(n));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    controller.abort();
    expect(told).toEqual(Array.from({ length: 50 }, (_none, n) => n));
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('tells nobody who let go, and keeps no listener for nobody', () => {
    const controller = new AbortController();
    const told: string[] = [];
    const letGo = onAbort(controller.signal, () => told.push('first'));
    const letOtherGo = onAbort(controller.signal, () => told.push('second'));
    letGo();
    letGo();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    expect(told).toEqual(['second']);
    letOtherGo();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('starts again after the last one let go', () => {
    const controller = new AbortController();
    const told: string[] = [];
    onAbort(controller.signal, () => told.push('first'))();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    onAbort(controller.signal, () => told.push('second'));
    controller.abort();
    expect(told).toEqual(['second']);
  });

  it('keeps signals apart', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const told: string[] = [];
    onAbort(one.signal, () => told.push('one'));
    onAbort(other.signal, () => told.push('other'));
    other.abort();
    expect(told).toEqual(['other']);
  });
});
