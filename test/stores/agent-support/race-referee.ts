import { randomUUID } from 'node:crypto';
import type { AgentStore, ApprovalRecord, DecideOutcome } from '../../../lib/approvals/ledger/index.js';
import type { Racer } from './race-process.js';
import { RACES, type RaceAct, type RaceOrder, type RaceReport } from './race-kinds.js';

/** What came of all runs of one race. */
export interface RaceTally {
  readonly race: string;
  readonly runs: number;
  /** How often each state won. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** How often a process ran the call. */
  readonly claims: number;
  /** How often somebody came second. */
  readonly losers: number;
  /** What must not happen; the first few. */
  readonly violations: readonly string[];
}

/** Races that are under way at once: they disturb one another, and so find more orders of events. */
const AT_ONCE = 8;
const LONGEST_DELAY_MS = 3;
/** Less than the clocks of the processes are off: a store that took their word would find everything over, or nothing. */
const LONG_MS = 120_000;

export async function runRaces(store: AgentStore, racers: readonly Racer[], runs: number): Promise<RaceTally[]> {
  const tallies: RaceTally[] = [];
  for (const acts of RACES) {
    const found: RunResult[] = [];
    let begun = 0;
    const lane = async () => {
      while (begun < runs) {
        begun += 1;
        found.push(await raceOnce(store, racers, acts));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    tallies.push(tallyOf(acts, found));
  }
  return tallies;
}

interface RunResult {
  readonly state: string;
  readonly claims: number;
  readonly losers: number;
  readonly violations: readonly string[];
}

let orders = 0;
/** How long the last race took from its proposal: on a busy machine an expiry must come later for either side to win some. */
let lastMs = 6;

async function raceOnce(store: AgentStore, racers: readonly Racer[], acts: readonly RaceAct[]): Promise<RunResult> {
  const target = await pendingApproval(store, acts.includes('expire') ? 1 + Math.random() * 2 * lastMs : LONG_MS);
  const proposedAt = performance.now();
  // Each act in either process, as often as not.
  const isSwapped = Math.random() < 0.5;
  const reports = await Promise.all(
    racers.map((racer, index) => {
      const act = acts[isSwapped ? 1 - index : index] ?? 'approve';
      const delayMs = Math.random() * LONGEST_DELAY_MS;
      orders += 1;
      return racer.race({ ...target, id: orders, act, delayMs, person: `person-${index}` });
    }),
  );
  lastMs = performance.now() - proposedAt;
  const approval = await store.approval(target.approvalId);
  if (approval === undefined) throw new Error('The approval is gone.');
  return judged(store, target, approval, reports);
}

type Target = Pick<RaceOrder, 'conversationId' | 'approvalId' | 'callId' | 'fence'>;

async function pendingApproval(store: AgentStore, expiresInMs: number): Promise<Target> {
  const [conversationId, runId, callId, approvalId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await store.open(conversationId, { subject: 'requester' });
  const claim = await store.claimRun(conversationId, 'referee', LONG_MS);
  if (claim === undefined) throw new Error('The conversation is taken.');
  const { fence } = claim;
  const call = {
    callId,
    runId,
    step: 1,
    index: 0,
    agent: 'support',
    toolCallId: 't',
    toolName: 'refund',
    state: 'waiting',
  } as const;
  const rest = { arguments: '{}', argumentsHash: 'hash', idempotencyKey: randomUUID(), isRepeatable: false };
  const policy = { roles: [], mayRequesterDecide: false, quorum: 1, expiresInMs: Math.ceil(expiresInMs) };
  const approval = {
    approvalId,
    callId,
    reason: 'moves money',
    operation: 'refund',
    requester: { subject: 'requester' },
  };
  const started = { type: 'run_started', runId, agent: 'support', principal: { subject: 'requester' } } as const;
  await store.propose(conversationId, {
    expectedSeq: 0,
    fence,
    items: [started],
    calls: [{ ...call, ...rest }],
    approvals: [{ ...approval, ...policy }],
  });
  return { conversationId, approvalId, callId, fence };
}

async function judged(
  store: AgentStore,
  target: Target,
  approval: ApprovalRecord,
  reports: readonly RaceReport[],
): Promise<RunResult> {
  const violations: string[] = [];
  const must = (isSo: boolean, what: string) => {
    if (!isSo) violations.push(`${what}: ${JSON.stringify({ state: approval.state, votes: approval.votes, reports })}`);
  };
  const items = (await store.read(target.conversationId)).map(({ item }) => item);
  const decisions = items.filter((item) => item.type === 'approval_decision');
  const claims = reports.filter(({ hasClaimed }) => hasClaimed).length;
  const withdrawnReady = approval.state === 'approved' ? reports.flatMap(({ withdrawn }) => withdrawn).length : 0;
  const outcomes = reports.flatMap(({ decision }) => decision ?? []);
  must(
    reports.every(({ error }) => error === undefined),
    'a process failed',
  );
  must(approval.state !== 'pending', 'nobody settled it');
  must(
    decisions.length === 1 && decisions[0]?.outcome === approval.state,
    'the journal tells of one decision, this one',
  );
  must(
    approval.votes.length === (approval.state === 'approved' || approval.state === 'denied' ? 1 : 0),
    'one vote counts',
  );
  must(
    outcomes.filter(({ kind }) => kind === 'decided').length === approval.votes.length,
    'one is told that it decided',
  );
  must(
    claims + withdrawnReady === (approval.state === 'approved' ? 1 : 0),
    'an approved call runs once, or is taken back',
  );
  const losers = outcomes.filter(({ kind }) => kind !== 'decided');
  for (const loser of losers) must(isToldWhoWon(loser, approval), 'the loser is told who won');
  return { state: approval.state, claims, losers: losers.length, violations };
}

function isToldWhoWon(outcome: DecideOutcome, approval: ApprovalRecord): boolean {
  if (approval.state === 'expired') return outcome.kind === 'expired';
  if (outcome.kind !== 'conflict') return false;
  return (
    outcome.approval.state === approval.state && outcome.approval.votes[0]?.by.subject === approval.votes[0]?.by.subject
  );
}

function tallyOf(acts: readonly RaceAct[], found: readonly RunResult[]): RaceTally {
  const outcomes: Record<string, number> = {};
  for (const { state } of found) outcomes[state] = (outcomes[state] ?? 0) + 1;
  const sum = (of: (run: RunResult) => number) => found.reduce((total, run) => total + of(run), 0);
  return {
    race: acts.join('/'),
    runs: found.length,
    outcomes,
    claims: sum((run) => run.claims),
    losers: sum((run) => run.losers),
    violations: found.flatMap((run) => run.violations).slice(0, 5),
  };
}
