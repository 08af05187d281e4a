import type { ApprovalDecision } from '../approvals.service.js';
import type { ApprovalFilter, ApprovalPageRequest, ApprovalState } from '../ledger/index.js';
import { ValueReader } from './read-values.js';

const STATES: readonly ApprovalState[] = ['pending', 'approved', 'denied', 'expired', 'superseded', 'cancelled'];
const HASH_LENGTH = 64;
const MAX_COMMENT = 2_000;
const MAX_ID = 512;

/** Who decides is not among it: a body that says so is refused. */
export function readDecision(body: unknown): ApprovalDecision {
  const reader = new ValueReader(body, ['verdict', 'argumentsHash', 'comment', 'arguments']);
  const verdict = reader.oneOf('verdict', ['approve', 'deny']);
  const argumentsHash = reader.text('argumentsHash', HASH_LENGTH);
  const comment = reader.text('comment', MAX_COMMENT);
  const edited = reader.object('arguments');
  reader.require('verdict');
  reader.require('argumentsHash');
  if (verdict === 'deny' && edited !== undefined) reader.refuse('arguments', 'has no meaning where the call is denied');
  reader.throwIfUnfit('approval_decision_invalid');
  return {
    verdict: verdict as ApprovalDecision['verdict'],
    argumentsHash: argumentsHash as string,
    comment,
    arguments: edited,
  };
}

export function readListQuery(query: unknown): { readonly filter: ApprovalFilter; readonly page: ApprovalPageRequest } {
  // Fastify gives a query without a prototype, Express one with: both are plain.
  const reader = new ValueReader({ ...(query as object) }, [
    'state',
    'conversationId',
    'runId',
    'operation',
    'requester',
    'limit',
    'after',
  ]);
  const filter = {
    states: reader.someOf('state', STATES),
    conversationId: reader.text('conversationId', MAX_ID),
    runId: reader.text('runId', MAX_ID),
    operation: reader.text('operation', MAX_ID),
    requester: reader.text('requester', MAX_ID),
  };
  const page = { limit: reader.count('limit', 200), after: reader.text('after', MAX_ID) };
  reader.throwIfUnfit('approval_request_invalid');
  return { filter, page };
}

export function readCallReference(body: unknown): { readonly conversationId: string; readonly callId: string } {
  const reader = new ValueReader(body, ['conversationId', 'callId']);
  const conversationId = reader.text('conversationId', MAX_ID);
  const callId = reader.text('callId', MAX_ID);
  reader.require('conversationId');
  reader.require('callId');
  reader.throwIfUnfit('approval_request_invalid');
  return { conversationId: conversationId as string, callId: callId as string };
}
