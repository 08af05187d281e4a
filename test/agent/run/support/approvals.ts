import type { AgentStore, ApprovalRecord, RunApprovals } from 'nestjs-palette';
import { ApprovalDrafts } from '../../../../lib/approvals/approval-drafts.js';
import { ApprovalEvents } from '../../../../lib/approvals/events/approval-events.js';
import { resolveApprovalsOptions } from '../../../../lib/approvals/options/resolve-options.js';
import { BootFaults } from '../../../../lib/common/index.js';

export const BOSS = { subject: 'boss', tenant: 'north' };

/** What a run needs of `ApprovalsService`, as that service makes it, outside an application. */
export function approvalsOf(store: AgentStore): RunApprovals {
  const faults = new BootFaults();
  const options = resolveApprovalsOptions({ authorizer: () => true, principal: () => BOSS }, faults);
  faults.throwIfAny();
  return { store, drafts: new ApprovalDrafts(options), events: new ApprovalEvents(options) };
}

export async function pendingOf(store: AgentStore): Promise<readonly ApprovalRecord[]> {
  return (await store.approvals({ states: ['pending'] })).approvals;
}

/** Decides about everything that waits. */
export async function decideAll(store: AgentStore, verdict: 'approve' | 'deny' = 'approve'): Promise<void> {
  for (const { approvalId, argumentsHash } of await pendingOf(store)) {
    const outcome = await store.decide({ approvalId, verdict, by: BOSS, argumentsHash });
    if (outcome.kind !== 'decided') throw new Error(`the decision was ${outcome.kind}`);
  }
}
