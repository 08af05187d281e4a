import { afterEach, describe, expect, it } from '@jest/globals';
import type { ScriptedStep } from 'nestjs-palette/testing';
import { as, disabled } from '../../approvals/support/people.js';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { doneOf, ofType } from '../run/support/running.js';
import { bootCounter } from './support/counter.js';
import { transfers } from './support/cast.js';

const look = (invoice: string): ScriptedStep => ({ toolCalls: [{ name: 'invoices__look', arguments: { invoice } }] });

describe.each(PLATFORMS)('who the guards see after a handoff, on %s', (platform) => {
  afterEach(async () => {
    disabled.clear();
    await closeApplications();
  });

  it('is the caller, with their own headers', async () => {
    const counter = await bootCounter(platform, { triage: [transfers('clerk')], clerk: [look('ann-1'), 'Yours.'] });
    const caller = { headers: { ...as('ann').headers, 'x-trace': 't-1' } };
    const events = await counter.say('ann', 'My invoice?', { caller });
    expect(ofType(events, 'tool_result').at(-1)).toMatchObject({
      agent: 'clerk',
      toolName: 'invoices__look',
      isError: false,
      content: { invoice: 'ann-1', of: 'ann', authorization: 'Bearer ann', trace: 't-1' },
    });
    expect(doneOf(events)).toMatchObject({ agent: 'clerk', answer: 'Yours.' });
  });

  it('is nobody else: what is another’s is refused, and the model is told', async () => {
    const counter = await bootCounter(platform, { triage: [transfers('clerk')], clerk: [look('ben-1'), 'No.'] });
    const events = await counter.say('ann', 'The invoice of ben?');
    expect(ofType(events, 'tool_result').at(-1)).toMatchObject({
      isError: true,
      content: { code: 'forbidden', message: 'not one of yours' },
    });
    expect(doneOf(events)).toMatchObject({ agent: 'clerk', answer: 'No.' });
  });

  it('is the caller of this run, whoever came before in other conversations', async () => {
    const script = [look('ann-1'), 'Yours.', look('ann-1'), 'No.'];
    const counter = await bootCounter(platform, { triage: [transfers('clerk'), transfers('clerk')], clerk: script });
    await counter.say('ann', 'My invoice?');
    const events = await counter.say('ben', 'The invoice of ann?', { conversation: 'c-2' });
    expect(ofType(events, 'tool_result').at(-1)).toMatchObject({ isError: true, content: { code: 'forbidden' } });
  });

  it('is judged anew in the next run, which the other agent begins', async () => {
    const counter = await bootCounter(platform, {
      triage: [transfers('clerk')],
      clerk: ['Which one?', look('ann-1'), 'Not any more.'],
    });
    await counter.say('ann', 'My invoice?');
    disabled.add('ann');
    const events = await counter.say('ann', 'The first.');
    expect(ofType(events, 'tool_result')).toMatchObject([{ agent: 'clerk', content: { code: 'forbidden' } }]);
  });

  it('calls nothing of the first agent’s palette', async () => {
    const pay = { toolCalls: [{ name: 'refunds__look', arguments: { order: 'o-1' } }] };
    const counter = await bootCounter(platform, { triage: [transfers('clerk')], clerk: [pay, 'I cannot.'] });
    const events = await counter.say('ann', 'My refund?');
    expect(ofType(events, 'tool_result').at(-1)).toMatchObject({ isError: true, content: { code: 'tool_unknown' } });
    expect(counter.models.clerk.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'invoices__look',
      'transfer_to_triage',
    ]);
  });
});
