import { randomUUID } from 'node:crypto';
import type { AgentStore } from 'nestjs-palette';
import { heapMegabytes, heapRow, measure, microsecondsPerCall, round, type BenchRow } from './measure.js';
import { openStores, type OpenStore } from './stores.js';

type Proposal = Parameters<AgentStore['propose']>[1];
type NewCall = Proposal['calls'][number];
type NewApproval = Proposal['approvals'][number];

const LANES = 16;
const CYCLES = 40;
const ROUNDS = 9;
const PENDING = 10_000;
const SWEEPS = 200;
const LONG_MS = 3_600_000;
/** A cycle is three transitions, each durable before it answers; a ledger by hand would write as often. */
const WRITES = 3;
const REQUESTER = { subject: 'alice' };

/** The ledger against as many bare writes; what a sweeper takes with ten thousand approvals that wait, and with none. */
export async function* approvals(): AsyncGenerator<BenchRow> {
  for await (const open of openStores()) {
    try {
      await sweeping(open.store);
      const idle = await sweeping(open.store);
      yield await cyclesPerSecond(open);
      const heap = await heapMegabytes();
      await fill(open.store);
      yield await sweeps(open, idle);
      yield heapRow('approvals', `${open.name}: heap after 10,000 that wait`, await heapMegabytes(), heap);
      for (const plan of await open.plans()) console.error(`\n${plan}`);
    } finally {
      await open.close();
    }
  }
}

async function cyclesPerSecond({ name, store, write }: OpenStore): Promise<BenchRow> {
  const lanes = await Promise.all(Array.from({ length: LANES }, () => Lane.open(store)));
  const document = JSON.stringify({ ...newCall(0), ...newApproval('') });
  const row = await measure({
    bench: 'approvals',
    row: `${name}: propose, decide, claim`,
    unit: 'us',
    maxRatio: 10,
    rounds: ROUNDS,
    ours: () => sideBySide(lanes, (lane) => lane.cycle()),
    other: () =>
      sideBySide(lanes, async () => {
        for (let count = 0; count < WRITES; count += 1) await write(randomUUID(), document);
      }),
  });
  const perSecond = (us: number) => round(1_000_000 / us);
  return { ...row, ours: perSecond(row.ours), other: perSecond(row.other), unit: '/s', goal: 'a 10th at least' };
}

/** Microseconds a cycle, with as many lanes at once. */
async function sideBySide(lanes: readonly Lane[], cycle: (lane: Lane) => Promise<void>): Promise<number> {
  const all = microsecondsPerCall(1, () =>
    Promise.all(
      lanes.map(async (lane) => {
        for (let count = 0; count < CYCLES; count += 1) await cycle(lane);
      }),
    ),
  );
  return (await all) / (lanes.length * CYCLES);
}

/** A conversation whose calls are proposed, decided and claimed one after the other. */
class Lane {
  private seq = 0;
  private step = 0;

  private constructor(
    private readonly store: AgentStore,
    private readonly id: string,
    private readonly fence: number,
  ) {}

  static async open(store: AgentStore): Promise<Lane> {
    const { id } = await store.open(randomUUID(), REQUESTER);
    const claim = await store.claimRun(id, 'bench', LONG_MS);
    return new Lane(store, id, claim?.fence ?? 0);
  }

  async cycle(): Promise<void> {
    this.step += 1;
    const call = newCall(this.step);
    const approval = newApproval(call.callId);
    await this.propose([call], [approval]);
    const { approvalId } = approval;
    await this.store.decide({ approvalId, verdict: 'approve', by: { subject: 'bob' }, argumentsHash: 'hash' });
    this.seq += 1;
    if ((await this.store.claimCall(this.id, call.callId, this.fence)) === undefined) throw new Error('not claimed');
  }

  async propose(calls: readonly NewCall[], asked: readonly NewApproval[]): Promise<void> {
    const items = asked.map(({ approvalId, callId, reason }) => ({
      type: 'approval_request' as const,
      ...{ runId: 'run', callId, approvalId, toolName: 'refund', reason, expiresAt: 0 },
    }));
    const rows = { expectedSeq: this.seq, fence: this.fence, items, calls, approvals: asked };
    if ((await this.store.propose(this.id, rows)).kind !== 'appended') throw new Error('not proposed');
    this.seq += items.length;
  }
}

async function fill(store: AgentStore): Promise<void> {
  for (let count = 0; count < PENDING / 100; count += 1) {
    const lane = await Lane.open(store);
    const calls = Array.from({ length: 100 }, (_, index) => newCall(index));
    await lane.propose(
      calls,
      calls.map(({ callId }) => newApproval(callId)),
    );
  }
}

const sweeping = (store: AgentStore) =>
  microsecondsPerCall(SWEEPS, async () => {
    await store.expireApprovals(100);
    await store.runnable(100);
  });

async function sweeps({ name, store }: OpenStore, idle: number): Promise<BenchRow> {
  const busy = await sweeping(store);
  return {
    bench: 'approvals',
    row: `${name}: sweep, 10,000 pending against none`,
    ours: round(busy),
    other: round(idle),
    unit: 'us',
    ratio: round(busy / idle),
    goal: 'at most 2',
    met: busy <= idle * 2,
  };
}

function newCall(step: number): NewCall {
  const ids = { callId: randomUUID(), runId: 'run', step, index: 0, agent: 'support', toolCallId: 't' };
  const text = { toolName: 'refund', arguments: '{"amount":10}', argumentsHash: 'hash', idempotencyKey: randomUUID() };
  return { ...ids, ...text, isRepeatable: false, state: 'waiting' };
}

function newApproval(callId: string): NewApproval {
  const asked = { approvalId: randomUUID(), callId, reason: 'moves money', operation: 'refunds.create' };
  return { ...asked, requester: REQUESTER, roles: [], mayRequesterDecide: false, quorum: 1, expiresInMs: LONG_MS };
}
