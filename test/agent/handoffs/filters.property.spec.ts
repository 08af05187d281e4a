import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defineAgent, type Handoff, type ModelMessage } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { AgentGraph, type Agent } from '../../../lib/agent/definition/index.js';
import { promptOf } from '../../../lib/agent/run/prompt.js';
import { transcriptFaults, type TranscriptDialect } from '../../../lib/agent/transcript/index.js';
import { BootFaults } from '../../../lib/common/index.js';
import type { JournalEntry } from '../../../lib/conversations/index.js';
import { userTexts } from '../transcript/support/messages.js';
import { randomJournals } from '../transcript/support/random-journals.js';

type Filter = NonNullable<Handoff['filter']>;

const DIALECTS: readonly TranscriptDialect[] = ['chat', 'responses', 'anthropic'];
const RUNS = { numRuns: 400 };

interface Distortion {
  /** Which messages stay, over and over. */
  readonly keep: readonly boolean[];
  readonly isTurnedAround: boolean;
  readonly change: 'none' | 'copy' | 'silence';
}

const distortion = fc.record<Distortion>({
  keep: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
  isTurnedAround: fc.boolean(),
  change: fc.constantFrom('none', 'none', 'copy', 'silence'),
});

const filterOf =
  ({ keep, isTurnedAround, change }: Distortion): Filter =>
  (messages) => {
    const kept = messages.filter((_, index) => keep[index % keep.length]).map((message) => changed(message, change));
    return isTurnedAround ? kept.reverse() : kept;
  };

function changed(message: ModelMessage, change: Distortion['change']): ModelMessage {
  if (change === 'copy') return { ...message };
  return change === 'silence' && message.role === 'assistant' ? { ...message, toolCalls: [] } : message;
}

/** What the other agent of `randomJournals` is shown after each handoff to it went through the filter. */
function shown(entries: readonly JournalEntry[], filter: Filter, dialect: TranscriptDialect): readonly ModelMessage[] {
  const model = Object.assign(new ScriptedModel([]), { dialect });
  const main: Agent = defineAgent({ name: 'main', model, handoffs: [{ to: 'other', filter }] });
  const other: Agent = defineAgent({ name: 'other', model });
  return promptOf(other, new AgentGraph([main, other], ['main'], new BootFaults()), [], entries);
}

const newestQuestion = (entries: readonly JournalEntry[]): string | undefined =>
  entries.flatMap(({ item }) => (item.type === 'user_message' ? [item.text] : [])).at(-1);

describe('whatever filters do to any journal,', () => {
  it.each(DIALECTS)('the transcript is one that %s takes, and has the newest question', (dialect) => {
    fc.assert(
      fc.property(randomJournals, distortion, (entries, how) => {
        const question = newestQuestion(entries);
        fc.pre(question !== undefined);
        const messages = shown(entries, filterOf(how), dialect);
        expect(transcriptFaults(messages, dialect)).toEqual([]);
        // Copies are words of the filter's own: which of them is the question is for the filter to say. So is it where it turns
        // everything around.
        if (how.change !== 'copy' && !how.isTurnedAround) expect(userTexts(messages)).toContain(question);
      }),
      RUNS,
    );
  });

  it.each(DIALECTS)('right after a handoff nobody’s words come last, for %s', (dialect) => {
    fc.assert(
      fc.property(randomJournals, distortion, (entries, how) => {
        const last = entries.findLastIndex(({ item }) => item.type === 'handoff');
        const before = entries.slice(0, last + 1);
        fc.pre(newestQuestion(before) !== undefined);
        expect(shown(before, filterOf(how), dialect).at(-1)?.role).not.toBe('assistant');
      }),
      RUNS,
    );
  });

  it('the same is shown again: what a filter is given does not change by itself', () => {
    fc.assert(
      fc.property(randomJournals, distortion, (entries, how) => {
        fc.pre(newestQuestion(entries) !== undefined);
        const filter = filterOf(how);
        expect(shown(entries, filter, 'chat')).toEqual(
          shown(JSON.parse(JSON.stringify(entries)) as JournalEntry[], filter, 'chat'),
        );
      }),
      { numRuns: 100 },
    );
  });
});
