import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type AgentEvent, type AgentStore } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { bootDesk, type Desk, type DeskOptions } from '../agent/module/support/desk.js';
import { journalFaults } from '../agent/run/support/journal.js';
import { collect, doneOf, ofType, typesOf } from '../agent/run/support/running.js';
import { done } from '../approvals/support/refunds.js';
import { describeOnPostgres } from '../stores/postgres-agent/support/describe-on-postgres.js';
import { PostgresPlace } from '../stores/postgres-agent/support/postgres-store.js';
import { closeApplications, PLATFORMS } from '../support/application.js';

// A suspended run lost what its schema did not know, was not found after a restart, or went on under another agent.
// https://github.com/openai/openai-agents-js/issues/131 · https://github.com/mastra-ai/mastra/pull/17898
// https://github.com/openai/openai-agents-python/pull/4264

const NOTE = { when: '2026-03-01T10:00:00.000Z', number: '90071992547409931', words: 'ü 漢 🎬 \u2028', empty: '' };
const REFUND = { order: 'o-1', amount: 10, note: NOTE };
const PAY = { toolCalls: [{ id: 'call/1', name: 'refunds__pay', arguments: REFUND }], providerState: { sig: 'ä==' } };

function restarts(openStore: () => AgentStore): void {
  describe.each(PLATFORMS)('on %s', (platform) => {
    let store: AgentStore;

    beforeEach(() => {
      done.length = 0;
      store = openStore();
    });
    afterEach(closeApplications);

    const boot = (script: readonly ScriptedStep[], options: Partial<DeskOptions> = {}): Promise<Desk> =>
      bootDesk(platform, { model: new ScriptedModel(script), store, ...options });

    /** A run that waits, in an application that is gone. */
    async function suspended(
      step: ScriptedStep = PAY,
    ): Promise<{ readonly approvalId: string; readonly runId: string }> {
      const events: AgentEvent[] = await collect((await boot([step])).say('pay'));
      await closeApplications();
      store = openStore();
      return ofType(events, 'approval_request')[0] ?? { approvalId: '', runId: '' };
    }

    it('is found by its run, loses nothing, and goes on once', async () => {
      const { approvalId, runId } = await suspended();
      const model = new ScriptedModel(['Paid.']);
      const after = await boot([], { model });
      const { approvals } = await store.approvals({ runId, states: ['pending'] });
      expect(approvals).toMatchObject([
        { approvalId, agent: 'desk', toolCallId: 'call/1', arguments: JSON.stringify(REFUND) },
      ]);
      expect(await after.decide('ben', approvalId)).toBe(200);
      expect(doneOf(await collect(after.say(undefined)))).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
      expect(done).toMatchObject([{ what: 'pay', input: REFUND }]);
      expect(model.requests[0]?.messages).toMatchObject([
        { role: 'user', text: 'pay' },
        { role: 'assistant', toolCalls: [{ id: 'call/1', arguments: REFUND }], providerState: { sig: 'ä==' } },
        { role: 'tool', toolCallId: 'call/1', isError: false },
      ]);
      expect(journalFaults(await store.read('c-1'))).toEqual([]);
    });

    it('is left as it is where its agent was renamed, and goes on with whoever has it', async () => {
      const { approvalId } = await suspended();
      const after = await boot([], { agentName: 'counter' });
      expect(await after.decide('ben', approvalId)).toBe(200);
      const events = await collect(after.say(undefined));
      expect(typesOf(events)).toEqual(['error', 'done']);
      expect(ofType(events, 'error')).toMatchObject([{ code: 'agent_unknown', agent: 'desk' }]);
      expect(doneOf(events)).toMatchObject({ outcome: 'interrupted' });
      expect(done).toEqual([]);
      const same = await boot(['Paid.']);
      expect(doneOf(await collect(same.say(undefined)))).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
      expect(done).toHaveLength(1);
      expect(journalFaults(await store.read('c-1'))).toEqual([]);
    });

    it('proposes nothing with a key that is the name of a prototype', async () => {
      const note = JSON.parse('{"__proto__":{"isAdmin":true}}') as object;
      const forged = { toolCalls: [{ name: 'refunds__pay', arguments: { ...REFUND, note } }] };
      const events = await collect((await boot([forged, 'No.'])).say('pay'));
      expect(ofType(events, 'approval_request')).toEqual([]);
      expect(ofType(events, 'tool_result')).toMatchObject([
        { isError: true, content: { code: 'tool_arguments_unknown' } },
      ]);
      expect(done).toEqual([]);
    });
  });
}

describe('a suspended run after a restart, in memory', () => {
  let store: InMemoryAgentStore;
  beforeEach(() => {
    store = new InMemoryAgentStore();
  });
  restarts(() => store);
});

describeOnPostgres('a suspended run after a restart, in PostgreSQL', () => {
  let place: PostgresPlace;
  beforeEach(async () => {
    place = await PostgresPlace.open('t42');
  });
  afterEach(async () => {
    await closeApplications();
    await place.close();
  });
  restarts(() => place.store());
});
