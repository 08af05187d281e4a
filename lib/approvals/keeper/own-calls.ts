import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalDigest, type Principal } from '../../common/index.js';
import type { RunClaim } from '../../conversations/index.js';
import type { PaletteEntry, ToolCall } from '../../palette/index.js';
import { ApprovalDrafts } from '../approval-drafts.js';
import { ApprovalEvents } from '../events/approval-events.js';
import type { AgentStore, ApprovalRecord, CallRecord, NewApproval, NewCall, Proposal } from '../ledger/index.js';
import { APPROVALS_OPTIONS, APPROVALS_STORE, type ResolvedApprovalsOptions } from '../options/approvals.options.js';
import { ClaimedCall } from './claimed-call.js';

/** What is proposed: a call of a loop that the application wrote, or of a surface whose clients know of no proposals. */
export interface OwnProposal {
  readonly call: ToolCall;
  readonly entry: PaletteEntry;
  readonly palette: string;
  readonly argumentsHash: string;
  readonly reasons: readonly string[];
  readonly requester: Principal;
  /** What the application knows it by in lists. Default: an id of its own. */
  readonly runId?: string | undefined;
}

/** What a claim comes to: a call to run, a call that has ended meanwhile, or one that another process is running. */
export type OwnClaim = ClaimedCall | CallRecord | undefined;

const OWN = 'approval:';
const ATTEMPTS = 40;
const PAUSE_MS = 50;

/** Calls outside any agent's run. Each is kept in a conversation of its own, so that none waits for another. */
@Injectable()
export class OwnCalls {
  constructor(
    @Inject(APPROVALS_STORE) private readonly store: AgentStore,
    @Inject(APPROVALS_OPTIONS) private readonly options: ResolvedApprovalsOptions,
    private readonly drafts: ApprovalDrafts,
    private readonly events: ApprovalEvents,
  ) {}

  isOwn({ conversationId }: ApprovalRecord): boolean {
    return isReservedConversation(conversationId);
  }

  async callOf({ conversationId, runId, callId }: ApprovalRecord): Promise<CallRecord | undefined> {
    return (await this.store.calls(conversationId, { runId })).find((call) => call.callId === callId);
  }

  /** Proposes a call, whatever was proposed before. */
  async propose(proposal: OwnProposal): Promise<ApprovalRecord> {
    const conversationId = `${OWN}${randomUUID()}`;
    await this.store.open(conversationId, proposal.requester);
    const approval = await this.#proposeIn(conversationId, proposal, () => Promise.resolve(undefined));
    if (approval === undefined) throw new Error('A conversation that nobody else knows was claimed by somebody else.');
    return approval;
  }

  /**
   * The approval of the same principal's same call that still counts; a new one where there is none. Two proposals at once come
   * to one approval.
   */
  async proposeOnce(proposal: OwnProposal): Promise<ApprovalRecord | undefined> {
    const { requester, palette, entry, argumentsHash } = proposal;
    const { subject, tenant = null } = requester;
    const same = canonicalDigest([subject, tenant, palette, entry.operation.name, argumentsHash]);
    const conversationId = `${OWN}${same}`;
    await this.store.open(conversationId, requester);
    const current = () => this.#current(conversationId);
    return (await current()) ?? (await this.#proposeIn(conversationId, proposal, current));
  }

  /** Claims an approved call. A call that a dead process left behind is claimed where it is repeatable, else `unknown`. */
  async claim({ conversationId, callId }: CallRecord): Promise<OwnClaim> {
    const { leaseMs } = this.options;
    const claim = await this.store.claimRun(conversationId, randomUUID(), leaseMs);
    if (claim === undefined) return undefined;
    const claimed = await this.store.claimCall(conversationId, callId, claim.fence);
    if (claimed !== undefined) return new ClaimedCall(this.store, claim, claimed, leaseMs);
    await this.store.abandonCalls(conversationId, claim.fence);
    await this.store.releaseRun(claim);
    return (await this.store.calls(conversationId)).find((call) => call.callId === callId);
  }

  /** The newest call's approval, while it waits or runs, and a refusal for as long as it could have been decided. */
  async #current(conversationId: string): Promise<ApprovalRecord | undefined> {
    const newest = [...(await this.store.calls(conversationId))].sort(byTime).at(-1);
    if (newest?.approvalId === undefined) return undefined;
    const approval = await this.store.approval(newest.approvalId);
    if (['waiting', 'ready', 'executing'].includes(newest.state)) return approval;
    const isRefused = newest.state === 'denied' || newest.state === 'unknown';
    return isRefused && approval !== undefined && approval.expiresAt > Date.now() ? approval : undefined;
  }

  async #proposeIn(
    conversationId: string,
    proposal: OwnProposal,
    current: () => Promise<ApprovalRecord | undefined>,
  ): Promise<ApprovalRecord | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const claim = await this.store.claimRun(conversationId, randomUUID(), this.options.leaseMs);
      try {
        const approval = (await current()) ?? (claim && (await this.#write(claim, proposal)));
        if (approval !== undefined) return approval;
      } finally {
        if (claim !== undefined) await this.store.releaseRun(claim);
      }
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  async #write({ conversationId, fence }: RunClaim, proposal: OwnProposal): Promise<ApprovalRecord | undefined> {
    const { entry, reasons, requester } = proposal;
    const call = newCall(conversationId, proposal, this.store.transaction !== undefined);
    const operation = entry.operation.name;
    const approval = this.drafts.draft({ callId: call.callId, operation, reasons, requester });
    const conversation = await this.store.find(conversationId);
    const outcome = await this.store.propose(conversationId, {
      expectedSeq: conversation?.lastSeq ?? 0,
      fence,
      operationId: approval.approvalId,
      items: [requestItem(call, approval)],
      calls: [call],
      approvals: [approval],
    });
    if (outcome.kind === 'conflict' || outcome.kind === 'fenced') return undefined;
    const stored = await this.store.approval(approval.approvalId);
    if (stored !== undefined) this.events.requested(stored);
    return stored;
  }
}

/** @param hasTransactions whether effects can commit together with the ledger */
function newCall(
  conversationId: string,
  { call, entry, palette, argumentsHash, runId }: OwnProposal,
  hasTransactions: boolean,
): NewCall {
  const callId = randomUUID();
  const { annotations, transactional } = entry.operation;
  return {
    callId,
    runId: runId ?? callId,
    step: 1,
    index: 0,
    agent: palette,
    toolCallId: call.id,
    toolName: call.name,
    arguments: argumentsText(call.arguments),
    argumentsHash,
    idempotencyKey: canonicalDigest([conversationId, callId, call.name, argumentsHash]),
    isRepeatable: annotations.readOnly || annotations.idempotent || (transactional && hasTransactions),
    state: 'waiting',
  };
}

/** Byte for byte what the model wrote, where it wrote text. */
function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}

function requestItem(call: NewCall, { approvalId, reason, expiresInMs }: NewApproval): Proposal['items'][number] {
  const { runId, callId, toolName } = call;
  const expiresAt = Date.now() + expiresInMs;
  return { type: 'approval_request', runId, callId, approvalId, toolName, reason, expiresAt };
}

function byTime(one: CallRecord, other: CallRecord): number {
  return one.updatedAt - other.updatedAt;
}

/** Whether conversations of this id hold calls outside any agent's run: no run is ever open in them. */
export function isReservedConversation(conversationId: string): boolean {
  return conversationId.startsWith(OWN);
}
