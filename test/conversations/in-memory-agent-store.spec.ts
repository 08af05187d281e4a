import { describe, expect, it } from '@jest/globals';
import { FakeClock, storeConformance } from 'nestjs-palette/testing';
import { InMemoryAgentStore } from '../../lib/approvals/memory/index.js';

describe('InMemoryAgentStore', () => {
  describe.each(storeConformance())('$name', ({ run }) => {
    it('holds', () =>
      run(async () => {
        const clock = new FakeClock();
        return { store: new InMemoryAgentStore({ clock }), advance: (ms) => clock.advance(ms) };
      }));
  });

  it('hands out what nobody can change', async () => {
    const store = new InMemoryAgentStore();
    await store.open('one', { subject: 'alice' });
    await store.append('one', {
      expectedSeq: 0,
      items: [{ type: 'queued_message', text: 'a', principal: { subject: 'alice' } }],
    });
    const [entry] = await store.read('one');
    expect(() => Object.assign(entry?.item ?? {}, { text: 'forged' })).toThrow(TypeError);
  });

  it('has no transactions to share', () => {
    expect('transaction' in new InMemoryAgentStore()).toBe(false);
  });
});
