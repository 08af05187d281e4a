import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PostgresAgentStore } from 'nestjs-palette/postgres';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

const WAITING = 10_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Every statement that the store sent, as the server got it. */
const statements: { text: string; values: unknown[] }[] = [];

describeOnPostgres('what the sweeper asks PostgreSQL, with ten thousand conversations that wait for a person', () => {
  let place: PostgresPlace;

  beforeAll(async () => {
    place = await PostgresPlace.open('plans');
    await fill(place);
  }, 60_000);
  afterAll(() => place.close());

  it.each([
    ['runnable', 'palette_conversations_runnable'],
    ['expireApprovals', 'palette_approvals_due'],
    ['unknownCalls', 'palette_calls_unknown'],
  ] as const)('%s reads the rows that it yields, by %s', async (method, index) => {
    statements.length = 0;
    const yielded = await listening(place)[method](20);
    expect(yielded).toHaveLength(3);
    if (method === 'expireApprovals') await fill(place);
    const plan = await planOf(place, statements[0]);
    expect(scans(plan)).toEqual([{ index, rows: 3, removed: 0 }]);
  });

  it('the page of what is pending reads no further than the page', async () => {
    statements.length = 0;
    expect((await listening(place).approvals({ states: ['pending'] }, { limit: 20 })).approvals).toHaveLength(20);
    const plan = await planOf(place, statements[0]);
    const read = scans(plan).find(({ index }) => index === 'palette_approvals_pending');
    expect(read).toEqual({ index: 'palette_approvals_pending', rows: 21, removed: 0 });
  });
});

/** The store, over a pool whose statements are noted. */
function listening(place: PostgresPlace): PostgresAgentStore {
  return place.store({}, { connect: async () => listenedTo(await place.pool.connect()) });
}

/** A client whose statements are noted; a pool of `pg` gives the same one again. */
function listenedTo<Client extends object>(client: Client): Client {
  const { query } = client as { query(text: string, values?: unknown[]): Promise<unknown> };
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (text: string, values: unknown[] = []) => {
        statements.push({ text, values });
        return query.call(target, text, values);
      };
    },
  });
}

/** Conversations that wait; three each that can go on, whose approvals are over, and that have an unknown call. */
async function fill(place: PostgresPlace): Promise<void> {
  const [conversations, calls, approvals] = ['conversations', 'calls', 'approvals'].map((name) => place.table(name));
  const rows = `generate_series(1, ${WAITING}) AS n`;
  await place.pool.query(`
    TRUNCATE ${conversations}, ${calls}, ${approvals} CASCADE;
    INSERT INTO ${conversations} SELECT 'c' || n, '{"subject":"alice"}', n, n, 3, 'run', 1, NULL, 0, '[]', CASE WHEN n <= 3 THEN 0 ELSE 1 END FROM ${rows};
    INSERT INTO ${calls} (conversation_id, call_id, run_id, run_seq, step, place, agent, tool_call_id, tool_name, arguments, arguments_hash,
      idempotency_key, is_repeatable, state, approval_id, attempts, updated_at)
      SELECT 'c' || n, 'k' || n, 'run', 1, 1, 0, 'a', 't', 'refund', '{}', 'hash', 'key', false,
        CASE WHEN n <= 3 THEN 'unknown' ELSE 'waiting' END, 'a' || n, 0, n FROM ${rows};
    INSERT INTO ${approvals} (approval_id, conversation_id, call_id, run_id, operation, reason, requester, requester_subject, roles,
      may_requester_decide, quorum, state, created_at, expires_at, votes)
      SELECT 'a' || n, 'c' || n, 'k' || n, 'run', 'refund', 'r', '{"subject":"alice"}', 'alice', '[]', false, 1,
        CASE WHEN n <= 3 THEN 'approved' ELSE 'pending' END, n, CASE WHEN n <= 6 THEN n ELSE 32503680000000 + n END, '[]' FROM ${rows};
    ANALYZE ${conversations}, ${calls}, ${approvals}`);
}

async function planOf(place: PostgresPlace, statement: (typeof statements)[number] | undefined): Promise<Plan> {
  const { text = '', values = [] } = statement ?? {};
  const { rows } = await place.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('No plan was explained.');
  return plan;
}

/** What is read of tables, and how: a sequential scan has no index. */
function scans(plan: Plan): { index: string | undefined; rows: number; removed: number }[] {
  const below = (plan.Plans ?? []).flatMap(scans);
  if (!plan['Node Type'].endsWith('Scan') || plan['Node Type'] === 'CTE Scan') return below;
  const { 'Index Name': index, 'Actual Rows': rows, 'Rows Removed by Filter': removed = 0 } = plan;
  return [{ index, rows, removed }, ...below];
}
