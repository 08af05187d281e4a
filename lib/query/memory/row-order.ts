import type { SortKey } from '../ast.js';
import { comparatorOf, rowReader, type Comparable } from '../kinds/index.js';
import type { Row } from './row-filter.js';

/**
 * The rows from `offset` on, `size` at most, of the list sorted by `sorts`. Total and stable: rows that are equal in all
 * keys keep their order. Only what comes before the end of the page is ever sorted.
 */
export function sortedSlice<R extends Row>(
  rows: readonly R[],
  sorts: readonly SortKey[],
  offset: number,
  size: number,
): R[] {
  const [first, ...rest] = sorts.map((sort) => new RowKey(rows, sort));
  if (first === undefined || offset >= rows.length) return rows.slice(offset, offset + size);
  const wanted = Math.min(offset + size, rows.length);
  // A heap of the page pays while it is much smaller than the list.
  const places = wanted * 8 < rows.length ? firstPlaces(rows.length, wanted, first, rest) : allPlaces(first, rest);
  return places.slice(offset, wanted).map((place) => rows[place] as R);
}

type Key = Comparable | null;

/** One sort over a list of rows, which are named by their places in it. */
class RowKey {
  readonly at: (place: number) => Key;
  readonly compare: (a: Key, b: Key) => number;

  constructor(
    readonly rows: readonly Row[],
    { field, direction, nulls }: SortKey,
  ) {
    const { name } = field;
    const read = rowReader(field);
    const compare = comparatorOf(field);
    const sign = direction === 'asc' ? 1 : -1;
    const nullSign = nulls === 'first' ? -1 : 1;
    this.at = (place) => read((rows[place] as Row)[name]);
    this.compare = (a, b) => {
      if (a === null) return b === null ? 0 : nullSign;
      return b === null ? -nullSign : sign * compare(a, b);
    };
  }
}

type PlaceOrder = (a: number, b: number) => number;

/** The order of places whose first keys are equal; the list's own order in the end. */
function furtherOrder(keys: readonly RowKey[], keyAt: (key: RowKey, place: number) => Key): PlaceOrder {
  return (a, b) => {
    for (const key of keys) {
      const order = key.compare(keyAt(key, a), keyAt(key, b));
      if (order !== 0) return order;
    }
    return a - b;
  };
}

/** All places, sorted. Each key is read once; further keys hardly ever. */
function allPlaces(first: RowKey, rest: readonly RowKey[]): number[] {
  const keys = first.rows.map((_, place) => first.at(place));
  const known = new Map(rest.map((key) => [key, new Array<Key | undefined>(keys.length)]));
  const further = furtherOrder(rest, (key, place) => {
    const column = known.get(key) as (Key | undefined)[];
    const value = column[place];
    return value === undefined ? (column[place] = key.at(place)) : value;
  });
  const compare = first.compare;
  return placesTo(keys.length).sort((a, b) => compare(keys[a] as Key, keys[b] as Key) || further(a, b));
}

/** The first `count` places of the order, by a heap whose root is the last of them. */
function firstPlaces(length: number, count: number, first: RowKey, rest: readonly RowKey[]): number[] {
  const { at, compare } = first;
  const further = furtherOrder(rest, (key, place) => key.at(place));
  const order: PlaceOrder = (a, b) => compare(at(a), at(b)) || further(a, b);
  const heap = placesTo(count).sort((a, b) => order(b, a));
  let rootKey = at(heap[0] as number);
  for (let place = count; place < length; place++) {
    const comparison = compare(at(place), rootKey);
    if (comparison < 0 || (comparison === 0 && further(place, heap[0] as number) < 0)) {
      heap[0] = place;
      siftDown(heap, order);
      rootKey = at(heap[0]);
    }
  }
  return heap.sort(order);
}

function siftDown(heap: number[], order: PlaceOrder): void {
  const moved = heap[0] as number;
  let hole = 0;
  for (let child = 1; child < heap.length; child = 2 * hole + 1) {
    if (child + 1 < heap.length && order(heap[child + 1] as number, heap[child] as number) > 0) child++;
    if (order(heap[child] as number, moved) <= 0) break;
    heap[hole] = heap[child] as number;
    hole = child;
  }
  heap[hole] = moved;
}

function placesTo(length: number): number[] {
  return Array.from({ length }, (_, place) => place);
}
