import type { ComputedValue, Measure } from '../ast.js';
import {
  DecimalSum,
  comparatorOf,
  decimalOfBigint,
  divideToNumber,
  formatDecimal,
  identityOf,
  jsonValueOf,
  rowReader,
  type Comparable,
  type Decimal,
  type MeasureFunction,
} from '../kinds/index.js';
import { compileFilter, type Row } from './row-filter.js';

/** Takes rows in, and answers with one JSON value. */
export interface Accumulator {
  add(row: Row): void;
  result(): unknown;
}

/** Makes an accumulator for each group; what does not depend on the group is compiled once. */
export function accumulatorOf(computed: ComputedValue): () => Accumulator {
  const create = computed.function === '$count' ? () => new RowCounter() : measureOf(computed);
  if (computed.filter === undefined) return create;
  const test = compileFilter(computed.filter);
  return () => {
    const inner = create();
    return { add: (row) => void (test(row) && inner.add(row)), result: () => inner.result() };
  };
}

class RowCounter implements Accumulator {
  #count = 0;

  add(): void {
    this.#count++;
  }

  result(): number {
    return this.#count;
  }
}

/** A function over the values that are not null. */
interface Reduction {
  take(value: Comparable): void;
  result(): unknown;
}

function measureOf(measure: Measure): () => Accumulator {
  const { name } = measure.field;
  const read = rowReader(measure.field);
  const create = REDUCTIONS[measure.function];
  return () => {
    const reduction = create(measure);
    return {
      add: (row) => {
        const value = read(row[name]);
        if (value !== null) reduction.take(value);
      },
      result: () => reduction.result(),
    };
  };
}

const REDUCTIONS: Readonly<Record<MeasureFunction, (measure: Measure) => Reduction>> = {
  $count_distinct: distinctCount,
  $sum: (measure) => sumOf(measure, (sum) => sum.total()),
  $avg: (measure) => sumOf(measure, (sum, count) => sum.average(count)),
  $min: (measure) => extreme(measure, -1),
  $max: (measure) => extreme(measure, 1),
};

function distinctCount({ field }: Measure): Reduction {
  const identity = identityOf(field);
  const seen = new Set<unknown>();
  return { take: (value) => void seen.add(identity(value)), result: () => seen.size };
}

function extreme({ field }: Measure, sign: number): Reduction {
  const compare = comparatorOf(field);
  let best: Comparable | null = null;
  return {
    take: (value) => {
      if (best === null || sign * compare(value, best) > 0) best = value;
    },
    result: () => (best === null ? null : jsonValueOf(field, best)),
  };
}

function sumOf({ field }: Measure, answer: (sum: RunningSum, count: number) => unknown): Reduction {
  const isExact = field.kind === 'decimal' || field.kind === 'bigint';
  const sum = isExact ? new ExactSum() : new CompensatedSum();
  let count = 0;
  return {
    take: (value) => {
      count++;
      sum.take(value);
    },
    result: () => (count === 0 ? null : answer(sum, count)),
  };
}

interface RunningSum {
  take(value: Comparable): void;
  total(): unknown;
  average(count: number): number | null;
}

/** Decimals and big integers; the sum travels as a string. */
class ExactSum implements RunningSum {
  readonly #sum = new DecimalSum();

  take(value: Comparable): void {
    this.#sum.add(typeof value === 'bigint' ? decimalOfBigint(value) : (value as Decimal));
  }

  total(): string {
    return formatDecimal(this.#sum.total);
  }

  average(count: number): number {
    return divideToNumber(this.#sum.total, count);
  }
}

/**
 * Doubles, summed so that the order of rows hardly matters. A sum that is not finite is no JSON number: null.
 * @see https://en.wikipedia.org/wiki/Kahan_summation_algorithm (Neumaier's variant)
 */
class CompensatedSum implements RunningSum {
  #sum = 0;
  #lost = 0;

  take(value: Comparable): void {
    const addend = value as number;
    const sum = this.#sum + addend;
    const [larger, smaller] = Math.abs(this.#sum) >= Math.abs(addend) ? [this.#sum, addend] : [addend, this.#sum];
    this.#lost += larger - sum + smaller;
    this.#sum = sum;
  }

  total(): number | null {
    const total = this.#sum + this.#lost;
    return Number.isFinite(total) ? total : null;
  }

  average(count: number): number | null {
    const total = this.total();
    return total === null ? null : total / count;
  }
}
