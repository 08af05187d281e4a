import type { Principal } from '../../common/index.js';

/** All but `pending` are final. */
export type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired' | 'superseded' | 'cancelled';

/** An approval as it is asked for. */
export interface NewApproval {
  /** Minted by the server; nothing else names it. */
  readonly approvalId: string;
  readonly callId: string;
  /** Why a person has to decide, in the owner's words. One line each where several gates hold. */
  readonly reason: string;
  readonly operation: string;
  /** On whose behalf the call would run. */
  readonly requester: Principal;
  /** Any one of these lets a person decide; empty: whoever the authorizer lets. */
  readonly roles: readonly string[];
  readonly mayRequesterDecide: boolean;
  /** How many different persons must approve; one denial denies. */
  readonly quorum: number;
  /** How long it can be decided, in milliseconds from the store's now. */
  readonly expiresInMs: number;
}

export interface ApprovalVote {
  readonly by: Principal;
  readonly verdict: 'approve' | 'deny';
  readonly at: number;
  readonly comment: string | undefined;
  /** The hash of the arguments that this person saw, or asked for instead. */
  readonly argumentsHash: string;
}

/** An approval as it stands, with the call that it is about. */
export interface ApprovalRecord extends Omit<NewApproval, 'expiresInMs'> {
  readonly conversationId: string;
  readonly runId: string;
  readonly agent: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the call would run with, as JSON text; after an edit, the edited ones. */
  readonly arguments: string;
  readonly argumentsHash: string;
  /** What the model wrote, where a person changed it. */
  readonly originalArguments: string | undefined;
  readonly state: ApprovalState;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt: number | undefined;
  /** In the order in which they were given. */
  readonly votes: readonly ApprovalVote[];
}

export interface Decision {
  readonly approvalId: string;
  readonly verdict: 'approve' | 'deny';
  /** From the principal of the request, never from its body. */
  readonly by: Principal;
  /** The hash of what the decider was shown. */
  readonly argumentsHash: string;
  readonly comment?: string | undefined;
  /** What an approved call is to run with instead; checked by the caller of the ledger before. Says nothing in a denial. */
  readonly edited?: { readonly arguments: string; readonly argumentsHash: string } | undefined;
}

export type DecideOutcome =
  | { readonly kind: 'decided'; readonly approval: ApprovalRecord }
  /** A vote that does not settle it yet. */
  | { readonly kind: 'counted'; readonly approval: ApprovalRecord }
  /** The same person had decided the same, and it stands: nothing changed. */
  | { readonly kind: 'repeated'; readonly approval: ApprovalRecord }
  /** It was settled before by somebody else, or otherwise, or this person voted otherwise: nothing changed. */
  | { readonly kind: 'conflict'; readonly approval: ApprovalRecord }
  /** Its time was over by the store's clock; it is `expired` now. */
  | { readonly kind: 'expired'; readonly approval: ApprovalRecord }
  /** The arguments are not those that the decider saw: nothing changed. */
  | { readonly kind: 'stale'; readonly approval: ApprovalRecord }
  | { readonly kind: 'unknown' };

export interface ApprovalFilter {
  readonly states?: readonly ApprovalState[] | undefined;
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  readonly operation?: string | undefined;
  readonly tenant?: string | undefined;
  readonly requester?: string | undefined;
}

export interface ApprovalPageRequest {
  /** Default: 50; 1 at least and 200 at most, whatever is asked for. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Oldest first. */
export interface ApprovalPage {
  readonly approvals: readonly ApprovalRecord[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}
