import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AgentStore, CallRecord, Decision, NewApproval, NewCall, Proposal } from '../../approvals/ledger/index.js';
import type { Principal } from '../../common/index.js';
import type { AppendOutcome, JournalEntry, JournalItem, RunClaim } from '../../conversations/index.js';

export const ALICE: Principal = { subject: 'alice', tenant: 'acme', scopes: ['refunds'] };
export const BOB: Principal = { subject: 'bob', tenant: 'acme' };
export const CAROL: Principal = { subject: 'carol', tenant: 'acme' };
export const DAVE: Principal = { subject: 'dave', tenant: 'acme' };

/** Long enough for the slowest machine, where time is real. */
export const LEASE_MS = 600_000;
export const EXPIRY_MS = 900_000;

/** A run that is under way, and the writes of whoever drives it. */
export class Run {
  readonly runId = randomUUID();

  constructor(
    readonly store: AgentStore,
    readonly conversationId: string,
    readonly claim: RunClaim,
    public lastSeq = 0,
  ) {}

  async append(...items: JournalItem[]): Promise<readonly JournalEntry[]> {
    const { conversationId, lastSeq: expectedSeq } = this;
    return this.took(await this.store.append(conversationId, { expectedSeq, items, fence: this.claim.fence }));
  }

  async propose(rows: Partial<Proposal>): Promise<AppendOutcome> {
    return this.store.propose(this.conversationId, this.proposal(rows));
  }

  proposal(rows: Partial<Proposal>): Proposal {
    const { lastSeq: expectedSeq, claim } = this;
    return { expectedSeq, fence: claim.fence, items: [], calls: [], approvals: [], ...rows };
  }

  /** Calls that are ready, as one step proposes them. */
  async proposeReady(...calls: Partial<NewCall>[]): Promise<readonly NewCall[]> {
    const proposed = calls.map((call, index) => newCall(this.runId, { index, ...call }));
    this.took(await this.propose({ items: [replyOf(this.runId, proposed)], calls: proposed }));
    return proposed;
  }

  /** A call that waits, and its approval. */
  async proposeGated(
    gated: Partial<NewApproval> = {},
    of: Partial<NewCall> = {},
  ): Promise<{ call: NewCall; approval: NewApproval }> {
    const call = newCall(this.runId, { state: 'waiting', ...of });
    const approval = newApproval(call.callId, gated);
    const items = [replyOf(this.runId, [call]), requestOf(this.runId, call, approval)];
    this.took(await this.propose({ items, calls: [call], approvals: [approval] }));
    return { call, approval };
  }

  /** The call as it stands. */
  async call(callId: string): Promise<CallRecord> {
    const found = (await this.store.calls(this.conversationId)).find((call) => call.callId === callId);
    assert.ok(found, 'the call is there');
    return found;
  }

  private took(outcome: AppendOutcome): readonly JournalEntry[] {
    assert.equal(outcome.kind, 'appended');
    assert.ok('entries' in outcome);
    this.lastSeq += outcome.entries.length;
    return outcome.entries;
  }
}

/** A conversation of its own, with a claim and a run that has begun. */
export async function startRun(store: AgentStore, owner: Principal = ALICE, holder = 'replica-1'): Promise<Run> {
  const { id } = await store.open(randomUUID(), owner);
  const run = new Run(store, id, await claimed(store, id, holder));
  await run.append({ type: 'run_started', runId: run.runId, agent: 'support', principal: owner });
  return run;
}

export async function claimed(store: AgentStore, conversationId: string, holder: string): Promise<RunClaim> {
  const claim = await store.claimRun(conversationId, holder, LEASE_MS);
  assert.ok(claim, 'the conversation is free to be claimed');
  return claim;
}

export function said(text: string, runId = 'run'): JournalItem {
  return { type: 'user_message', runId, text };
}

export function queued(text: string): JournalItem {
  return { type: 'queued_message', text, principal: ALICE };
}

export function newCall(runId: string, call: Partial<NewCall> = {}): NewCall {
  return {
    callId: randomUUID(),
    runId,
    step: 1,
    index: 0,
    agent: 'support',
    toolCallId: 'call_1',
    toolName: 'refunds_create',
    arguments: '{"amount":10}',
    argumentsHash: 'hash-of-10',
    idempotencyKey: randomUUID(),
    isRepeatable: false,
    state: 'ready',
    ...call,
  };
}

export function newApproval(callId: string, approval: Partial<NewApproval> = {}): NewApproval {
  return {
    approvalId: randomUUID(),
    callId,
    reason: 'moves money',
    operation: 'refunds.create',
    requester: ALICE,
    roles: ['lead'],
    mayRequesterDecide: false,
    quorum: 1,
    expiresInMs: EXPIRY_MS,
    ...approval,
  };
}

export function replyOf(runId: string, calls: readonly NewCall[]): JournalItem {
  return {
    type: 'assistant_message',
    runId,
    step: calls[0]?.step ?? 1,
    agent: 'support',
    text: '',
    toolCalls: calls.map(({ callId, toolCallId, toolName, arguments: text }) => ({
      callId,
      toolCallId,
      name: toolName,
      arguments: text,
    })),
    finishReason: 'tool_calls',
    model: 'model-1',
    usage: { inputTokens: 1, outputTokens: 2 },
  };
}

export function requestOf(runId: string, call: NewCall, approval: NewApproval): JournalItem {
  const { callId, toolName } = call;
  const { approvalId, reason } = approval;
  return { type: 'approval_request', runId, callId, approvalId, toolName, reason, expiresAt: 0 };
}

export function approve(approval: NewApproval, by: Principal = BOB, more: Partial<Decision> = {}): Decision {
  return { approvalId: approval.approvalId, verdict: 'approve', by, argumentsHash: 'hash-of-10', ...more };
}

export function deny(approval: NewApproval, by: Principal = BOB, more: Partial<Decision> = {}): Decision {
  return { ...approve(approval, by, more), verdict: 'deny' };
}

/** Equal as JSON: a property without a value is none. */
export function assertSame(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(JSON.parse(JSON.stringify(actual)), JSON.parse(JSON.stringify(expected)), message);
}

/** The items of a journal of one type. */
export async function itemsOf<T extends JournalItem['type']>(
  store: AgentStore,
  conversationId: string,
  type: T,
): Promise<Extract<JournalItem, { type: T }>[]> {
  const items = (await store.read(conversationId)).map((entry) => entry.item);
  return items.filter((item): item is Extract<JournalItem, { type: T }> => item.type === type);
}

export const UNKNOWN_CONVERSATION = { code: 'conversation_unknown' };
