import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AgentEvent } from 'nestjs-palette';
import type { ScriptedStep } from 'nestjs-palette/testing';
import { done } from '../../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { counted, doneOf, ofType, typesOf } from '../run/support/running.js';
import { bootCounter } from './support/counter.js';

const PAY = { name: 'refunds__pay', arguments: { order: 'o-1', amount: 10 } };
const MAIL = { name: 'send_mail', arguments: { to: 'bob' } };
const TRANSFER = { name: 'transfer_to_clerk' };
const both = (...toolCalls: readonly { name: string }[]): ScriptedStep => ({ toolCalls });

const approvalOf = (events: readonly AgentEvent[]): string => ofType(events, 'approval_request')[0]?.approvalId ?? '';

describe.each(PLATFORMS)('a transfer beside a call that a person must approve, on %s', (platform) => {
  beforeEach(() => {
    done.length = 0;
  });
  afterEach(closeApplications);

  const kinds = [
    ['operation', PAY],
    ['function', MAIL],
  ] as const;
  const orders = kinds.flatMap(
    ([kind, gated]) =>
      [
        [kind, 'before', gated, [TRANSFER, gated]],
        [kind, 'after', gated, [gated, TRANSFER]],
      ] as const,
  );

  it.each(orders)('(%s, %s it) waits: the handoff is made once it is decided', async (_kind, _where, gated, calls) => {
    const { tool, runs } = counted('send_mail', { approval: 'goes to a customer' });
    const counter = await bootCounter(platform, { triage: [both(...calls)], clerk: ['Clerk here.'], tools: [tool] });
    const first = await counter.say('ann', 'Pay, and my invoice?');
    expect(typesOf(first)).toEqual(['tool_call', 'tool_call', 'approval_request', 'done']);
    expect(doneOf(first)).toMatchObject({ outcome: 'waiting', agent: 'triage' });
    expect(counter.models.clerk.requests).toEqual([]);
    expect([done, runs]).toEqual([[], []]);

    await counter.decide(approvalOf(first));
    const rest = await counter.say('ann', undefined);
    expect(typesOf(rest)).toEqual(['tool_result', 'tool_result', 'handoff', 'message', 'done']);
    expect(ofType(rest, 'tool_result').map(({ toolName, isError }) => [toolName, isError])).toEqual(
      calls.map(({ name }) => [name, false]),
    );
    expect(doneOf(rest)).toMatchObject({ outcome: 'completed', agent: 'clerk', answer: 'Clerk here.' });
    expect(gated === MAIL ? runs : done).toHaveLength(1);
  });

  it('is made after a denial as well, and the other agent sees what was denied', async () => {
    const counter = await bootCounter(platform, { triage: [both(PAY, TRANSFER)], clerk: ['Clerk here.'] });
    const first = await counter.say('ann', 'Pay, and my invoice?');
    await counter.decide(approvalOf(first), 'deny');
    const rest = await counter.say('ann', undefined);
    expect(ofType(rest, 'handoff')).toHaveLength(1);
    expect(counter.models.clerk.requests[0]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', isError: true, content: { code: 'approval_denied' } },
      { role: 'tool', isError: false, content: { transferred_to: 'clerk' } },
    ]);
    expect(done).toEqual([]);
  });

  it('is made by another process, where this one is gone', async () => {
    const before = await bootCounter(platform, { triage: [both(PAY, TRANSFER)] });
    const first = await before.say('ann', 'Pay, and my invoice?');
    await closeApplications();
    const after = await bootCounter(platform, { clerk: ['Clerk here.'], store: before.store });
    expect(doneOf(await after.say('ann', undefined))).toMatchObject({ outcome: 'waiting', agent: 'triage' });
    await after.decide(approvalOf(first));
    const rest = await after.say('ann', undefined);
    expect(ofType(rest, 'handoff')).toMatchObject([{ from: 'triage', to: 'clerk' }]);
    expect(doneOf(rest)).toMatchObject({ agent: 'clerk', answer: 'Clerk here.' });
    expect(done).toHaveLength(1);
  });

  it('stands where a new message takes the place of what waits: the other agent answers it', async () => {
    const counter = await bootCounter(platform, { triage: [both(PAY, TRANSFER)], clerk: ['Clerk here.'] });
    await counter.say('ann', 'Pay, and my invoice?');
    const events = await counter.say('ann', 'Never mind the refund.');
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', agent: 'clerk', answer: 'Clerk here.' });
    const items = (await counter.store.read('c-1')).map(({ item }) => item.type);
    expect(items.filter((type) => type === 'handoff')).toHaveLength(1);
    expect(items.indexOf('handoff')).toBe(items.indexOf('run_ended') - 1);
    expect(done).toEqual([]);
  });
});
