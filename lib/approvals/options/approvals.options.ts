import type { CallerContext, Principal } from '../../common/index.js';
import type { AgentStore } from '../ledger/index.js';
import type { ApprovalNotifier } from '../events/approval-notifier.js';
import type { ApprovalAuthorizer } from './approval-authorizer.js';

/** Who may decide about the calls of an operation, and for how long. */
export interface ApprovalPolicy {
  /** Any one of these lets a person decide, besides the authorizer. Default: none is needed. */
  readonly roles?: readonly string[];
  /** How many different persons must approve; one denial denies. Default: 1. */
  readonly quorum?: number;
  /** Whether the one for whom the call would run may decide. Default: false. */
  readonly mayRequesterDecide?: boolean;
  /** How long a call waits for its decision, in milliseconds by the store's clock. Default: 86,400,000, a day. */
  readonly expiresInMs?: number;
}

/**
 * Who acts. From a request of the approvals' routes, as the application's guards left it (`request.user`), and from the
 * caller of a tool call, whose headers are all there is (`request` is undefined then). Undefined: nobody that is known.
 */
export type PrincipalOf = (
  caller: CallerContext,
  request: object | undefined,
) => Principal | undefined | Promise<Principal | undefined>;

export interface ApprovalsModuleOptions extends ApprovalPolicy {
  /** Where calls and approvals are kept. Default: the memory of this process. */
  readonly store?: AgentStore;
  /** Who may see and decide. Required; `publicApprovals()` says that anybody may. */
  readonly authorizer: ApprovalAuthorizer;
  readonly principal: PrincipalOf;
  /** The roles of a principal, for policies that name some. Default: its scopes. */
  readonly rolesOf?: (principal: Principal) => readonly string[] | Promise<readonly string[]>;
  /** What differs for an operation, by its name. Default: nothing. */
  readonly operations?: Readonly<Record<string, ApprovalPolicy>>;
  /**
   * Whether a gated call that came without an approval is proposed at once: it is answered `approval_required` with the new
   * approval's id, and with its result when the same call comes again after the decision. For surfaces whose clients know of no
   * proposals, such as MCP. Default: false.
   */
  readonly proposeUnasked?: boolean;
  /** Who is told of requests and decisions. Default: nobody. */
  readonly notifiers?: readonly ApprovalNotifier[];
  /** How often this replica looks for what has expired, in milliseconds; 0: never. Default: 5,000. */
  readonly sweepIntervalMs?: number;
  /** How long a claimed call stays claimed when its process dies, in milliseconds. It is renewed while the call runs. Default: 30,000. */
  readonly leaseMs?: number;
}

/** An operation's policy with every default filled in. */
export type ResolvedApprovalPolicy = Required<ApprovalPolicy>;

export interface ResolvedApprovalsOptions {
  readonly authorizer: ApprovalAuthorizer;
  readonly principal: PrincipalOf;
  readonly rolesOf: (principal: Principal) => readonly string[] | Promise<readonly string[]>;
  readonly proposeUnasked: boolean;
  readonly notifiers: readonly ApprovalNotifier[];
  readonly sweepIntervalMs: number;
  readonly leaseMs: number;
  /** By the operation's name; those without an own one have the module's. */
  policyOf(operation: string): ResolvedApprovalPolicy;
}

/** The resolved options, for the module's own providers. */
export const APPROVALS_OPTIONS = Symbol.for('nestjs-palette:approvals:RESOLVED_OPTIONS');

/** The `AgentStore`, for the module's own providers. */
export const APPROVALS_STORE = Symbol.for('nestjs-palette:approvals:STORE');
