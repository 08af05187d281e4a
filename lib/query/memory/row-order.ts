import type { SortKey } from '../ast.js';
import { comparatorOf, rowReader, type Comparable } from '../kinds/index.js';
import type { Row } from './row-filter.js';

/** Compares two rows by their places in a list. */
type PlaceOrder = (a: number, b: number) => number;

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
  if (offset >= rows.length) return [];
  if (sorts.length === 0) return rows.slice(offset, offset + size);
  const order = placeOrder(rows, sorts);
  const wanted = Math.min(offset + size, rows.length);
  // A heap of the page pays while it is much smaller than the list.
  const places =
    wanted * 8 < rows.length ? smallestPlaces(rows.length, wanted, order) : allPlaces(rows.length).sort(order);
  return places.slice(offset, wanted).map((place) => rows[place] as R);
}

function placeOrder(rows: readonly Row[], sorts: readonly SortKey[]): PlaceOrder {
  const orders = sorts.map((sort) => keyOrder(rows, sort));
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return a - b;
  };
}

function keyOrder(rows: readonly Row[], { field, direction, nulls }: SortKey): PlaceOrder {
  const keys = lazyKeys(rows, field);
  const compare = comparatorOf(field);
  const sign = direction === 'asc' ? 1 : -1;
  const nullSign = nulls === 'first' ? -1 : 1;
  return (a, b) => {
    const left = keys(a);
    const right = keys(b);
    if (left === null) return right === null ? 0 : nullSign;
    return right === null ? -nullSign : sign * compare(left, right);
  };
}

/** Later keys are hardly ever looked at; none is read twice. */
function lazyKeys(rows: readonly Row[], field: SortKey['field']): (place: number) => Comparable | null {
  const { name } = field;
  const read = rowReader(field);
  const known = new Array<Comparable | null | undefined>(rows.length);
  return (place) => {
    const key = known[place];
    return key === undefined ? (known[place] = read((rows[place] as Row)[name])) : key;
  };
}

/** The first `count` places of the order, by a heap whose root is the last of them. */
function smallestPlaces(length: number, count: number, order: PlaceOrder): number[] {
  const heap = allPlaces(count).sort((a, b) => order(b, a));
  for (let place = count; place < length; place++) {
    if (order(place, heap[0] as number) < 0) {
      heap[0] = place;
      siftDown(heap, order);
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

function allPlaces(length: number): number[] {
  return Array.from({ length }, (_, place) => place);
}
