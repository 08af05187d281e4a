import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  InMemoryQueryExecutor,
  QueryError,
  parseAggregateQuery,
  parseListQuery,
  resolveQueryPolicy,
  toCursorPage,
  type CursorPage,
  type QueryExecutor,
  type ResolvedQueryPolicy,
} from '../../../lib/query/index.js';
import { jsonValueOf, rowReader } from '../../../lib/query/kinds/index.js';
import { narrowToCapabilities } from '../../../lib/query/policy/narrow-to-capabilities.js';
import { AwkwardRead, awkwardRows } from './awkward-rows.js';
import { edgeFilters, everyAggregate, randomQueries } from './random-queries.js';

/** A store that holds the awkward rows. */
export interface OpenStore<Base> {
  readonly executor: QueryExecutor<object, Base>;
  /** A starting point that lets every row through. */
  base(): Base;
  close(): Promise<void>;
}

export interface DifferentialStore<Base> {
  readonly name: string;
  /** Whether its decimals are exact; otherwise they are doubles. Default: true. */
  readonly isExact?: boolean;
  open(rows: readonly AwkwardRead[]): Promise<OpenStore<Base>>;
}

/** Runs of each property: 5,000 where CI is `true`, as many as `DIFFERENTIAL_RUNS` says, a tenth otherwise. */
const FILTERS = Number(process.env['DIFFERENTIAL_RUNS'] ?? (process.env['CI'] === 'true' ? 5000 : 500));
const OTHERS = Math.ceil(FILTERS / 5);
const TIMEOUT_MS = 900_000;

/** Holds a store against the in-memory executor: random filters, sorts, pages, walks by cursor, aggregates. */
export function describeDifferential<Base>(store: DifferentialStore<Base>): void {
  describe(`${store.name}, held against the in-memory executor`, () => {
    const rows = awkwardRows({ isExact: store.isExact ?? true });
    const reference = new InMemoryQueryExecutor(rows);
    let open: OpenStore<Base>;
    let policy: ResolvedQueryPolicy;
    const narrowed = () => narrowToCapabilities(resolveQueryPolicy(AwkwardRead), open.executor.capabilities);

    beforeAll(async () => {
      open = await store.open(rows);
      policy = narrowed();
    }, TIMEOUT_MS);
    afterAll(() => open.close());

    const compareList = async (request: unknown) => {
      const plan = parseListQuery(request, policy);
      const expected = await reference.list(plan);
      const found = await open.executor.list(plan, open.base());
      expect(idsOf(found.rows)).toBe(idsOf(expected.rows));
      expect(found.hasMore).toBe(expected.hasMore);
      if (plan.paging.kind === 'offset') expect(found.total).toBe(expected.total);
    };

    it('holds every value, as its kind reads it', async () => {
      for (const page of [1, 2]) {
        const plan = parseListQuery({ page }, narrowedSize(policy));
        const expected = await reference.list(plan);
        const found = await open.executor.list(plan, open.base());
        expect(found.rows.map((row) => plainRow(row, policy))).toEqual(
          expected.rows.map((row) => plainRow(row, policy)),
        );
      }
    });

    it(
      'agrees on every pattern, and on every operand near a value or past what columns hold',
      async () => {
        for (const filters of edgeFilters(policy)) await compareList({ filters, size: 100 });
      },
      TIMEOUT_MS,
    );

    it(
      'agrees on every function over every field',
      async () => {
        for (const request of everyAggregate(policy)) {
          const plan = parseAggregateQuery(request, policy);
          expect([request, await open.executor.aggregate?.(plan, open.base())]).toEqual([
            request,
            await reference.aggregate(plan),
          ]);
        }
      },
      TIMEOUT_MS,
    );

    it(
      'agrees on random filters',
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.constant(null).chain(() => randomQueries(policy).filters),
            async (filters) => compareList({ filters, size: 100 }),
          ),
          { seed: 42, numRuns: FILTERS },
        );
      },
      TIMEOUT_MS,
    );

    it(
      'agrees on random sorts and pages',
      async () => {
        const { sorts } = randomQueries(policy);
        const number = (max: number) => fc.integer({ min: 1, max });
        await fc.assert(
          fc.asyncProperty(sorts, number(8), number(60), async (order, page, size) =>
            compareList({ sorts: order, page, size }),
          ),
          { seed: 43, numRuns: OTHERS },
        );
      },
      TIMEOUT_MS,
    );

    it(
      'walks by cursor over every row once, forward and back, where rows hold no sort key',
      async () => {
        const { sorts, filters } = randomQueries(policy);
        await fc.assert(
          fc.asyncProperty(sorts, fc.option(filters), fc.integer({ min: 7, max: 60 }), async (order, filter, size) => {
            const query = { sorts: order, select: ['id'], ...(filter !== null && { filters: filter }) };
            const pages = [1, 2].map((page) => parseListQuery({ ...query, page, size: 100 }, policy));
            const expected = await Promise.all(pages.map(async (plan) => idsOf((await reference.list(plan)).rows)));
            const { forward, back } = await walk(open, policy, { ...query, size });
            const all = expected.filter((ids) => ids !== '').join();
            expect(forward.map(({ hits }) => idsOf(hits)).join()).toBe(all);
            expect([...back, ...forward.slice(-1)].map(({ hits }) => idsOf(hits)).join()).toBe(all);
          }),
          { seed: 45, numRuns: Math.ceil(OTHERS / 10) },
        );
      },
      TIMEOUT_MS,
    );

    it(
      'agrees on random aggregates',
      async () => {
        const { aggregates } = randomQueries(policy);
        let compared = 0;
        await fc.assert(
          fc.asyncProperty(aggregates, async (request) => {
            const plan = planOrRefusal(request, policy);
            fc.pre(plan !== undefined);
            const expected = await reference.aggregate(plan);
            const found = await open.executor.aggregate?.(plan, open.base());
            expect(found).toEqual(expected);
            compared++;
          }),
          { seed: 44, numRuns: OTHERS, maxSkipsPerRun: 10 },
        );
        expect(compared).toBeGreaterThanOrEqual(OTHERS);
      },
      TIMEOUT_MS,
    );
  });
}

/** Every page from the first one to the last, and then every page back. */
async function walk<Base>(open: OpenStore<Base>, policy: ResolvedQueryPolicy, query: object) {
  const pageOf = async (place: object) => {
    const plan = parseListQuery({ ...query, ...place }, policy, { paging: 'cursor' });
    return toCursorPage(plan, await open.executor.list(plan, open.base()));
  };
  const forward: CursorPage<object>[] = [await pageOf({})];
  for (let next = forward[0]?.nextCursor; next; next = forward.at(-1)?.nextCursor) {
    forward.push(await pageOf({ after: next }));
  }
  const back: CursorPage<object>[] = [];
  for (let before = forward.at(-1)?.prevCursor; before; before = back[0]?.prevCursor) {
    back.unshift(await pageOf({ before }));
  }
  return { forward, back };
}

/** Conditions on aliases are made without regard to their kinds: those that do not fit are refused as they are parsed. */
function planOrRefusal(request: unknown, policy: ResolvedQueryPolicy) {
  try {
    return parseAggregateQuery(request, policy);
  } catch (error) {
    if (QueryError.isInstance(error)) return undefined;
    throw error;
  }
}

function narrowedSize(policy: ResolvedQueryPolicy): ResolvedQueryPolicy {
  return { ...policy, maxSize: 100 };
}

function idsOf(rows: readonly object[]): string {
  return rows.map((row) => (row as AwkwardRead).id.slice(-3)).join();
}

function plainRow(row: object, { fields }: ResolvedQueryPolicy): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(fields).map((field) => {
      const value = rowReader(field)((row as Record<string, unknown>)[field.name]);
      return [field.name, value === null ? null : jsonValueOf(field, value)];
    }),
  );
}
