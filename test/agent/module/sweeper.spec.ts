import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApprovalsService, type AgentEvent, type AgentModuleOptions } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { as } from '../../approvals/support/people.js';
import { done, hold } from '../../approvals/support/refunds.js';
import { closeApplications } from '../../support/application.js';
import { eventually } from '../../support/eventually.js';
import { collect, ofType } from '../run/support/running.js';
import { bootDesk, resolvePrincipal, type Desk } from './support/desk.js';

const DAN = { subject: 'dan', tenant: 'north' };
/** Longer than any test lasts: what happens before was not the interval's doing. */
const NEVER_MS = 600_000;

/** What an application keeps of a request: whose it is, say. */
const requests = new AsyncLocalStorage<string>();

describe('the sweeper of runs', () => {
  const boot = (agents: Partial<AgentModuleOptions> = {}): Promise<Desk> => {
    done.length = 0;
    const model = new ScriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'user'
        ? { toolCalls: [{ name: 'refunds__pay', arguments: { order: 'o-1', amount: 1 } }] }
        : 'Paid.',
    );
    return bootDesk('express', { model, agents: { resolvePrincipal, sweepIntervalMs: NEVER_MS, ...agents } });
  };
  const approvalOf = async (events: AsyncIterable<AgentEvent>): Promise<string> =>
    ofType(await collect(events), 'approval_request')[0]?.approvalId ?? 'none';
  const openRun = async (desk: Desk, id: string) => (await desk.store.find(id))?.openRunId;
  const ended = (desk: Desk, id: string) => eventually(async () => expect(await openRun(desk, id)).toBeUndefined());

  afterEach(async () => {
    hold.until = undefined;
    await closeApplications();
  });

  it('is not put off by hints that keep coming', async () => {
    const desk = await boot();
    const approvalId = await approvalOf(desk.say('pay'));
    await desk.store.open('chatter', DAN);
    let seq = 0;
    const chatter = setInterval(() => {
      const item = { type: 'queued_message', text: 'and another thing', principal: DAN } as const;
      void desk.store.append('chatter', { expectedSeq: seq++, items: [item] });
    }, 20);
    try {
      await desk.decide('ben', approvalId);
      const decided = Date.now();
      await ended(desk, 'c-1');
      expect(Date.now() - decided).toBeLessThan(1_000);
    } finally {
      clearInterval(chatter);
    }
  });

  it('goes on with others while a run takes its time, and with no more at once than it was told', async () => {
    let release = (): void => undefined;
    hold.until = new Promise<void>((resolve) => (release = resolve));
    const desk = await boot({ sweepConcurrency: 2 });
    for (const conversation of ['c-1', 'c-2', 'c-3']) {
      await desk.decide('ben', await approvalOf(desk.say('pay', { conversation })));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(done).toHaveLength(2);
    release();
    for (const id of ['c-1', 'c-2', 'c-3']) await ended(desk, id);
    expect(done).toHaveLength(3);
  });

  it('lets those that cannot go on hold up nobody, and comes back to them with the interval', async () => {
    const asked: string[] = [];
    let isFailing = true;
    const desk = await boot({
      sweepIntervalMs: 2_000,
      resolvePrincipal: ({ subject }) => {
        asked.push(subject);
        if (subject === 'dan' && isFailing) throw new Error('the directory of people is down');
        return as(subject);
      },
    });
    const approvalId = await approvalOf(desk.say('pay'));
    for (let number = 0; number < 30; number += 1) {
      const { id } = await desk.store.open(`dan-${number}`, DAN);
      const item = { type: 'queued_message', text: 'pay', principal: DAN } as const;
      await desk.store.append(id, { expectedSeq: 0, items: [item] });
    }
    await desk.decide('ben', approvalId);
    await ended(desk, 'c-1');
    // Tried once, or once more where an interval ended meanwhile: not again and again.
    expect(asked.filter((subject) => subject === 'dan').length).toBeLessThanOrEqual(60);
    isFailing = false;
    await eventually(async () => expect((await desk.store.find('dan-29'))?.openRunId).toBeDefined());
  });

  it('goes on outside the request that let it, whoever wrote, decided or made room', async () => {
    // Until nothing is arranged any more: the next hint is what makes it look.
    const allLooked = () => new Promise((resolve) => setTimeout(resolve, 400));
    const seen: [who: string, request: string | undefined][] = [];
    const see = (who: string): void => void seen.push([who, requests.getStore()]);
    const model = new ScriptedModel(({ messages }) => {
      see('model');
      return messages.at(-1)?.role === 'user'
        ? { toolCalls: [{ name: 'refunds__pay', arguments: { order: 'o-1', amount: 1 } }] }
        : 'Paid.';
    });
    const agents: Partial<AgentModuleOptions> = {
      sweepIntervalMs: NEVER_MS,
      sweepConcurrency: 1,
      resolvePrincipal: ({ subject }) => {
        see('people');
        return as(subject);
      },
    };
    done.length = 0;
    const desk = await bootDesk('express', { model, agents });
    await desk.store.open('c-2', DAN);
    const asked = await requests.run('of ann', () => approvalOf(desk.say('pay')));
    await allLooked();
    seen.length = 0;
    await requests.run('of ben', async () => {
      const approval = await desk.store.approval(asked);
      await desk.app.get(ApprovalsService).decide({ subject: 'ben', tenant: 'north', scopes: ['approver'] }, asked, {
        verdict: 'approve',
        argumentsHash: approval?.argumentsHash ?? '',
      });
    });
    await ended(desk, 'c-1');
    await allLooked();
    await requests.run('of dan', async () => {
      const item = { type: 'queued_message', text: 'pay', principal: DAN } as const;
      await desk.store.append('c-2', { expectedSeq: 0, items: [item] });
    });
    await eventually(async () => expect(await desk.pending()).toHaveLength(1));
    expect(seen).toEqual([
      ['people', undefined],
      ['model', undefined],
      ['people', undefined],
      ['model', undefined],
    ]);
  });
});
