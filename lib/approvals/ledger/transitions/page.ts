import { ConversationError } from '../../../conversations/index.js';
import type { ApprovalFilter, ApprovalPageRequest, ApprovalRecord } from '../approval-record.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Rows of a page: within its bounds, whatever is asked for. */
export function pageLimit({ limit = DEFAULT_LIMIT }: ApprovalPageRequest): number {
  return Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT);
}

/**
 * The position behind which a page begins; 0 for the first one.
 * @throws ConversationError `approval_cursor_invalid`
 */
export function pagePosition({ after }: ApprovalPageRequest): number {
  if (after === undefined) return 0;
  if (!/^[1-9]\d{0,14}$/.test(after)) throw new ConversationError('approval_cursor_invalid');
  return Number(after);
}

export function isWanted(filter: ApprovalFilter, approval: ApprovalRecord): boolean {
  return (
    (filter.states?.includes(approval.state) ?? true) &&
    isEqual(filter.conversationId, approval.conversationId) &&
    isEqual(filter.runId, approval.runId) &&
    isEqual(filter.operation, approval.operation) &&
    isEqual(filter.tenant, approval.requester.tenant) &&
    isEqual(filter.requester, approval.requester.subject)
  );
}

function isEqual(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value;
}
