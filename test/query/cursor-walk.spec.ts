import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  InMemoryQueryExecutor,
  parseListQuery,
  toCursorPage,
  type CursorPage,
  type ListQueryOptions,
} from '../../lib/query/index.js';
import { Level, Status, productPolicy } from './product-read.js';

const policy = productPolicy();
const SECRET = 'a secret of thirty-two characters';
const SEALED: ListQueryOptions = { paging: 'cursor', cursorSecret: SECRET };
const HASHED: ListQueryOptions = { paging: 'cursor' };

type Row = Record<string, unknown>;

/** Few values, so that most rows are equal in most keys; null and absent ones among them. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  title: ['', 'a', 'A', 'ä', '😀', '\uffee', 'a '],
  sku: ['x', 'y', null, undefined],
  price: [-1, 0.1, 1e21, -0, null, undefined, Number.NaN],
  stock: [0, 7, null],
  cost: ['0.10', '0.1', '100000000000000000000.5', null],
  views: ['9007199254740993', '9007199254740992', '-5', 7n, null],
  sold: [true, false, null],
  status: [Status.Draft, Status.Published, null],
  level: [Level.Low, Level.High, null],
  released: ['2023-12-31', '2024-02-29', null],
  createdAt: [new Date(0), new Date(-1), '2024-03-31T01:00:00.000123Z', null],
};
const NAMES = Object.keys(VALUES);

const rowsOf = fc
  .array(fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom(...(VALUES[name] ?? []))]))), {
    maxLength: 40,
  })
  .chain((rows) =>
    fc
      .shuffledSubarray(
        rows.map((_, index) => index),
        { minLength: rows.length },
      )
      .map((order) =>
        rows.map((row, index): Row => ({
          ...row,
          id: `00000000-0000-4000-8000-${String(order[index]).padStart(12, '0')}`,
        })),
      ),
  );

const orderOf = fc.oneof(
  fc.constantFrom('asc', 'desc'),
  fc.record({ dir: fc.constantFrom('asc', 'desc'), nulls: fc.constantFrom('first', 'last') }),
);
const sortsOf = fc
  .uniqueArray(fc.constantFrom(...NAMES, 'id'), { maxLength: 4 })
  .chain((names) =>
    fc
      .array(orderOf, { minLength: names.length, maxLength: names.length })
      .map((orders) => Object.fromEntries(names.map((name, index) => [name, orders[index]]))),
  );
const filterOf = fc.constantFrom(
  undefined,
  { $values: { stock: { $null: false } } },
  { $not: { $values: { sold: true } } },
);

const idsOf = (rows: readonly Row[]) => rows.map((row) => row['id']);

interface Walk {
  readonly rows: readonly Row[];
  readonly query: object;
  readonly size: number;
  readonly options: ListQueryOptions;
}

async function pageOf({ rows, query, size, options }: Walk, cursor: object): Promise<CursorPage<Row>> {
  const plan = parseListQuery(JSON.parse(JSON.stringify({ ...query, size, ...cursor })), policy, options);
  return toCursorPage(plan, await new InMemoryQueryExecutor<Row>(rows).list(plan));
}

/** Every page from the first one to the last, and then every page back. */
async function walk(each: Walk) {
  const forward: CursorPage<Row>[] = [await pageOf(each, {})];
  for (let next = forward[0]?.nextCursor; next; next = forward.at(-1)?.nextCursor) {
    forward.push(await pageOf(each, { after: next }));
  }
  const back: CursorPage<Row>[] = [];
  for (let before = forward.at(-1)?.prevCursor; before; before = back[0]?.prevCursor) {
    back.unshift(await pageOf(each, { before }));
  }
  return { forward, back };
}

describe.each([
  ['sealed', SEALED],
  ['bound by a hash', HASHED],
])('pages by cursors that are %s', (_, options) => {
  it('hold every row once, in the order of pages by number, forward and back', async () => {
    let pages = 0;
    await fc.assert(
      fc.asyncProperty(
        rowsOf,
        sortsOf,
        filterOf,
        fc.integer({ min: 1, max: 7 }),
        async (rows, sorts, filters, size) => {
          const query = { sorts, filters };
          const all = parseListQuery(JSON.parse(JSON.stringify({ ...query, size: 100 })), policy);
          const expected = idsOf((await new InMemoryQueryExecutor<Row>(rows).list(all)).rows);
          const { forward, back } = await walk({ rows, query, size, options });
          const last = forward.at(-1) as CursorPage<Row>;
          expect(forward.flatMap((page) => idsOf(page.hits))).toEqual(expected);
          expect([...back, last].flatMap((page) => idsOf(page.hits))).toEqual(expected);
          expect(forward.map((page) => page.hasMore)).toEqual(forward.map((page) => page !== last));
          expect(forward[0]?.prevCursor).toBeNull();
          expect(last.nextCursor).toBeNull();
          expect(forward.slice(0, -1).every((page) => page.hits.length === size)).toBe(true);
          // Going back, the pages end where they began.
          expect(back.slice(1).every((page) => page.hits.length === size)).toBe(true);
          expect(back.every((page) => page.nextCursor !== null)).toBe(true);
          pages += forward.length + back.length;
        },
      ),
      { seed: 5, numRuns: 400 },
    );
    expect(pages).toBeGreaterThan(1000);
  });

  it('stay where they are while rows come and go around them', async () => {
    const rows = Array.from({ length: 9 }, (_each, index): Row => ({ id: idAt(index), stock: index % 2 ? null : 1 }));
    const each = { rows, query: { sorts: { stock: { dir: 'desc', nulls: 'first' } } }, size: 3, options };
    const first = await pageOf(each, {});
    // The last row of the page is gone, another one came before it.
    const changed = [
      ...rows.filter((row) => row !== first.hits.at(-1)),
      { id: idAt(0).replace(/^0/, 'a'), stock: null },
    ];
    const next = await pageOf({ ...each, rows: changed }, { after: first.nextCursor });
    const plain = await pageOf(each, { after: first.nextCursor });
    expect(idsOf(plain.hits)).toEqual([7, 0, 2].map(idAt));
    expect(idsOf(next.hits)).toEqual([7, 0].map(idAt).toSpliced(1, 0, idAt(0).replace(/^0/, 'a')));
  });
});

const idAt = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;
