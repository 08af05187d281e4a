import fc from 'fast-check';
import type { AgentStore, NewCall, Proposal } from '../../../lib/approvals/ledger/index.js';
import type { JournalItem, RunClaim } from '../../../lib/conversations/index.js';

/** What is done to a store: the same whatever the store. Places count conversations, calls and persons. */
export interface Act {
  readonly name: string;
  run(store: AgentStore, world: World): Promise<unknown>;
}

/** What acts know of what went before. */
export interface World {
  /** The last claim of each conversation. */
  readonly claims: Map<string, RunClaim>;
  /** The last entry of each conversation. */
  readonly seqs: Map<string, number>;
}

export const CONVERSATIONS = ['one', 'other'] as const;
export const LEASE_MS = 600_000;
const EXPIRY_MS = 700_000;
const CALLS = 6;

/** The one in seven of eight cases. */
function often<T, Other>(one: fc.Arbitrary<T>, other: fc.Arbitrary<Other>): fc.Arbitrary<T | Other> {
  return fc.oneof({ weight: 7, arbitrary: one }, { weight: 1, arbitrary: other });
}

const principals = fc.constantFrom(
  { subject: 'alice' },
  { subject: 'bob' },
  { subject: 'bob', tenant: 'acme' },
  { subject: 'carol', scopes: ['x'] },
);
const conversations = often(fc.constantFrom(...CONVERSATIONS), fc.constant('nowhere'));
const places = fc.nat({ max: CALLS - 1 });
const hashes = often(fc.constant('hash'), fc.constantFrom('edited', 'strange'));
const comments = fc.constantFrom(undefined, 'fine', '\ud800 "no" \u0000');
const fenceOffsets = often(fc.constant(0), fc.constantFrom(-1, undefined));
const seqOffsets = often(fc.constant(0), fc.constant(1));
const operationIds = often(fc.constant(undefined), fc.constantFrom('operation-1', 'operation-2'));

const callIdAt = (place: number) => `call-${place}`;
const approvalIdAt = (place: number) => `approval-${place}`;

function act<T extends object>(
  name: string,
  model: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (store: AgentStore, values: T, world: World) => Promise<unknown>,
): fc.Arbitrary<Act> {
  return fc.record<T>(model as never).map((values) => ({
    name: `${name} ${JSON.stringify(values)}`,
    run: (store, world) => run(store, values as T, world),
  }));
}

const fenceOf = (world: World, id: string, offset: number | undefined) =>
  offset === undefined ? undefined : (world.claims.get(id)?.fence ?? 1) + offset;

const items = fc.array(
  fc.constantFrom<JournalItem>(
    { type: 'run_started', runId: 'run-1', agent: 'a', principal: { subject: 'alice' } },
    { type: 'run_started', runId: 'run-2', agent: 'a', principal: { subject: 'alice' } },
    { type: 'run_ended', runId: 'run-1', outcome: 'completed', agent: 'a' },
    { type: 'queued_message', text: 'queued', principal: { subject: 'alice' } },
    { type: 'queued_message', text: 'queued', principal: { subject: 'alice' } },
    { type: 'user_message', runId: 'run-1', text: 'said', queuedSeq: 1 },
    { type: 'user_message', runId: 'run-1', text: 'said', queuedSeq: 2 },
    { type: 'user_message', runId: 'run-1', text: 'said' },
  ),
  { maxLength: 2 },
);

type Write = { id: string; seqOffset: number; fenceOffset: number | undefined; operationId: string | undefined };
const write = { id: conversations, seqOffset: seqOffsets, fenceOffset: fenceOffsets, operationId: operationIds };

const appends = act<Write & { items: JournalItem[] }>('append', { ...write, items }, (store, values, world) =>
  store.append(values.id, { ...headOf(values, world), items: values.items }),
);

type Kind = 'gated' | 'ready' | 'repeatable' | 'failed' | 'misfit';
const kinds = often(
  fc.constantFrom<Kind[]>('gated', 'gated', 'ready', 'repeatable'),
  fc.constantFrom<Kind[]>('failed', 'misfit'),
);
type Row = { place: number; kind: Kind; quorum: number };
const rows = fc.uniqueArray(fc.record({ place: places, kind: kinds, quorum: fc.constantFrom(1, 1, 2) }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ place }) => place,
});

const proposals = act<Write & { rows: Row[] }>('propose', { ...write, rows }, (store, values, world) =>
  store.propose(values.id, proposalOf(values, world)),
);

function headOf({ id, seqOffset, fenceOffset, operationId }: Write, world: World) {
  return { expectedSeq: (world.seqs.get(id) ?? 0) + seqOffset, fence: fenceOf(world, id, fenceOffset), operationId };
}

function proposalOf(values: Write & { rows: Row[] }, world: World): Proposal {
  const run = `run-${(values.rows[0]?.place ?? 0) % 2}`;
  const gated = values.rows.filter(({ kind }) => kind === 'gated');
  const requests = gated.map(({ place }) => ({
    type: 'approval_request' as const,
    ...{ runId: run, callId: callIdAt(place), approvalId: approvalIdAt(place), toolName: 't' },
    ...{ reason: 'money', expiresAt: 0 },
  }));
  return {
    ...headOf(values, world),
    items: [{ type: 'user_message', runId: run, text: 'go' }, ...requests],
    calls: values.rows.map((row) => callOf(row, run)),
    approvals: gated.map(({ place, quorum }) => ({
      approvalId: approvalIdAt(place),
      callId: callIdAt(place),
      reason: 'money "moves" \ud800',
      operation: `operation-${place % 2}`,
      requester: { subject: 'alice', ...(place % 2 === 0 ? {} : { tenant: 'acme' }) },
      roles: ['lead'],
      mayRequesterDecide: false,
      quorum,
      // No two end at once: which goes first would be for the store to choose.
      expiresInMs: EXPIRY_MS + place,
    })),
  };
}

function callOf({ place, kind }: Row, runId: string): NewCall {
  const result = { isError: true, content: { place } };
  return {
    callId: callIdAt(place),
    runId,
    step: 1 + (place % 3),
    index: place,
    agent: 'a',
    toolCallId: 't',
    toolName: 'refund',
    arguments: '{"amount":10}',
    argumentsHash: 'hash',
    idempotencyKey: `key-${place}`,
    isRepeatable: kind === 'repeatable',
    state: kind === 'gated' || kind === 'misfit' ? 'waiting' : kind === 'failed' ? 'failed' : 'ready',
    ...(kind === 'failed' ? { result } : {}),
  };
}

const holders = often(fc.constant('replica-1'), fc.constant('replica-2'));
const fenced = { id: conversations, fenceOffset: often(fc.constant(0), fc.constant(-1)) };
type Fenced = { id: string; fenceOffset: number };
const claimOf = (world: World, { id, fenceOffset }: Fenced): RunClaim => {
  const claim = world.claims.get(id) ?? { conversationId: id, holder: 'replica-1', fence: 1, expiresAt: 0 };
  return { ...claim, fence: claim.fence + fenceOffset };
};

const decisions = act<{
  place: number;
  verdict: 'approve' | 'deny';
  by: { subject: string };
  argumentsHash: string;
  comment: string | undefined;
  isEdited: boolean;
}>(
  'decide',
  {
    place: often(places, fc.constant(CALLS)),
    verdict: fc.constantFrom('approve', 'approve', 'approve', 'deny'),
    by: principals,
    argumentsHash: hashes,
    comment: comments,
    isEdited: often(fc.constant(false), fc.constant(true)),
  },
  (store, { place, isEdited, ...rest }) =>
    store.decide({
      ...rest,
      approvalId: approvalIdAt(place),
      ...(isEdited ? { edited: { arguments: '{"amount":5}', argumentsHash: 'edited' } } : {}),
    }),
);

const settlements = act<Fenced & { place: number; state: 'succeeded' | 'failed' | 'cancelled' | 'unknown' }>(
  'settleCall',
  { ...fenced, place: places, state: fc.constantFrom('succeeded', 'failed', 'cancelled', 'unknown') },
  (store, values, world) =>
    store.settleCall({
      conversationId: values.id,
      callId: callIdAt(values.place),
      fence: claimOf(world, values).fence,
      state: values.state,
      result: { isError: false, content: [] },
    }),
);

const withdrawals = act<{ id: string; as: 'superseded' | 'cancelled'; places: number[] | undefined }>(
  'withdraw',
  {
    id: conversations,
    as: fc.constantFrom('superseded', 'cancelled'),
    places: fc.option(fc.array(places, { maxLength: 3 }), { nil: undefined }),
  },
  (store, { id, as, places: named }) =>
    store.withdraw({ conversationId: id, as, by: { subject: 'dora' }, callIds: named?.map(callIdAt) }),
);

/** What each conversation begins with, so that there is something to decide about. */
export const BEGINNING: readonly Act[] = CONVERSATIONS.flatMap((id, index) => [
  { name: 'claimRun', run: (store) => store.claimRun(id, 'replica-1', LEASE_MS) },
  {
    name: 'propose',
    run: (store, world) => {
      const rows = [0, 1, 2].map((each): Row => ({ place: each * 2 + index, kind: 'gated', quorum: 1 + (each % 2) }));
      return store.propose(id, proposalOf({ id, seqOffset: 0, fenceOffset: 0, operationId: undefined, rows }, world));
    },
  },
]);

/** Acts that find one another: few conversations, calls and persons. */
export const ACTS: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: appends },
  { weight: 5, arbitrary: proposals },
  { weight: 8, arbitrary: decisions },
  { weight: 3, arbitrary: settlements },
  { weight: 2, arbitrary: withdrawals },
  {
    weight: 4,
    arbitrary: act<{ id: string; holder: string }>(
      'claimRun',
      { id: conversations, holder: holders },
      (store, { id, holder }) => store.claimRun(id, holder, LEASE_MS),
    ),
  },
  {
    weight: 1,
    arbitrary: act<Fenced>('renewRun', fenced, (store, values, world) =>
      store.renewRun(claimOf(world, values), LEASE_MS),
    ),
  },
  {
    weight: 1,
    arbitrary: act<Fenced>('releaseRun', fenced, (store, values, world) => store.releaseRun(claimOf(world, values))),
  },
  {
    weight: 6,
    arbitrary: act<Fenced & { place: number }>('claimCall', { ...fenced, place: places }, (store, values, world) =>
      store.claimCall(values.id, callIdAt(values.place), claimOf(world, values).fence),
    ),
  },
  {
    weight: 1,
    arbitrary: act<Fenced>('abandonCalls', fenced, (store, values, world) =>
      store.abandonCalls(values.id, claimOf(world, values).fence),
    ),
  },
  {
    weight: 1,
    arbitrary: act<{ limit: number }>('expireApprovals', { limit: fc.constantFrom(1, 10) }, (store, { limit }) =>
      store.expireApprovals(limit),
    ),
  },
  {
    weight: 1,
    arbitrary: act<{ id: string; place: number }>(
      'acknowledgeUnknown',
      { id: conversations, place: places },
      (store, { id, place }) => store.acknowledgeUnknown(id, callIdAt(place), { subject: 'dora' }),
    ),
  },
  {
    weight: 1,
    arbitrary: act<{ id: string; owner: { subject: string } }>(
      'open',
      { id: conversations, owner: principals },
      (store, { id, owner }) => store.open(id, owner).then(() => store.find('nowhere')),
    ),
  },
);
