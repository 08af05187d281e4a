import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApprovalEvents, InMemoryAgentStore, type ApprovalRecord } from 'nestjs-palette';
import { closeApplications } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { bootApproving, REFUND } from './support/approving.js';
import { done } from './support/refunds.js';

describe('the events of approvals', () => {
  const told: [string, string][] = [];
  const notifier = {
    onRequested: ({ state }: ApprovalRecord) => void told.push(['requested', state]),
    onDecided: ({ state }: ApprovalRecord) => void told.push(['decided', state]),
  };

  beforeEach(() => {
    told.length = 0;
    done.length = 0;
  });
  afterEach(closeApplications);

  it('tell a notifier of the request and, once, of the decision', async () => {
    const approving = await bootApproving('express', { approvals: { notifiers: [notifier] } });
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    await approving.decide('ben', approval);
    await approving.decide('ben', approval);
    await approving.decide('cleo', approval, { verdict: 'deny' });
    await eventually(() => expect(told).toHaveLength(2));
    expect(told).toEqual([
      ['requested', 'pending'],
      ['decided', 'approved'],
    ]);
  });

  it('reach a provider of the application until it is taken away', async () => {
    const approving = await bootApproving('express');
    const takeAway = approving.app.get(ApprovalEvents).add(notifier);
    await approving.propose('ann', 'refunds__pay', REFUND);
    takeAway();
    await approving.propose('ann', 'refunds__pay', REFUND);
    expect(told).toEqual([['requested', 'pending']]);
  });

  it.each([
    ['throws', () => fail()],
    ['rejects', () => Promise.reject(new Error('no mail today'))],
  ])('change nothing where a notifier %s, which is logged', async (_how, onRequested) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      const approving = await bootApproving('express', { approvals: { notifiers: [{ onRequested }, notifier] } });
      const approval = await approving.propose('ann', 'refunds__pay', REFUND);
      expect(await approving.decide('ben', approval)).toMatchObject({ status: 200 });
      await eventually(() => expect(logged).toHaveBeenCalledTimes(1));
      expect(told).toHaveLength(2);
    } finally {
      logged.mockRestore();
    }
  });

  it('tell of what the sweeper let expire, until the application is closed', async () => {
    const store = new InMemoryAgentStore();
    const options = { expiresInMs: 1, sweepIntervalMs: 20, notifiers: [notifier] };
    const approving = await bootApproving('express', { store, approvals: options });
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    await eventually(() => expect(told).toContainEqual(['decided', 'expired']));
    expect(await store.approval(approval.approvalId)).toMatchObject({ state: 'expired', votes: [] });
    const late = await approving.propose('ann', 'refunds__pay', { ...REFUND, order: 'late' });
    await closeApplications();
    const sweeps = jest.spyOn(store, 'expireApprovals');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sweeps).not.toHaveBeenCalled();
    expect(late.state).toBe('pending');
  });

  it('wake whoever waits for an approval, on another replica of the same store', async () => {
    const one = await bootApproving('express');
    const other = await bootApproving('fastify', { store: one.store });
    const { approvalId } = await one.propose('ann', 'refunds__pay', REFUND);
    const waiting = one.service.settled(approvalId, AbortSignal.timeout(10_000));
    const approval = (await other.store.approval(approvalId)) as ApprovalRecord;
    await other.decide('ben', approval);
    expect(await waiting).toMatchObject({ state: 'approved' });
    expect(await one.service.settled(approvalId, AbortSignal.timeout(10_000))).toMatchObject({ state: 'approved' });
    const pending = await one.propose('ann', 'refunds__pay', REFUND);
    expect(await one.service.settled(pending.approvalId, AbortSignal.timeout(30))).toMatchObject({ state: 'pending' });
  });
});

function fail(): never {
  throw new Error('no mail today');
}
