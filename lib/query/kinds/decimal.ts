/**
 * A decimal number as scaled BigInt: `units / 10^scale`. Exact, as SQL's `numeric` is; normalised, so that equal numbers
 * have equal units and scale.
 */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/;

/** Reads `12`, `-0.50`; undefined for anything else, exponents included. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = PLAIN.exec(text);
  return match ? fromDigits(match[1] === '-', match[2] ?? '', match[3] ?? '', 0) : undefined;
}

/** The decimal that a finite number prints as: `0.1` is one tenth, whatever the double behind it. */
export function decimalOfNumber(value: number): Decimal {
  const text = String(value);
  const match = EXPONENT.exec(text);
  const exact = match
    ? fromDigits(match[1] === '-', match[2] ?? '', match[3] ?? '', Number(match[4]))
    : parseDecimal(text);
  return exact ?? { units: 0n, scale: 0 };
}

export function decimalOfBigint(units: bigint): Decimal {
  return { units, scale: 0 };
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.scale === b.scale) return a.units < b.units ? -1 : a.units > b.units ? 1 : 0;
  const scale = Math.max(a.scale, b.scale);
  const left = rescale(a, scale);
  const right = rescale(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A running sum, exact; normalised only when it is asked for. */
export class DecimalSum {
  #units = 0n;
  #scale = 0;

  add(value: Decimal): void {
    const scale = Math.max(this.#scale, value.scale);
    this.#units = rescale({ units: this.#units, scale: this.#scale }, scale) + rescale(value, scale);
    this.#scale = scale;
  }

  get total(): Decimal {
    return normalise(this.#units, this.#scale);
  }
}

/** `a / count` as a number: the exact quotient, rounded once. */
export function divideToNumber(a: Decimal, count: number): number {
  const precision = 25;
  const negative = a.units < 0n;
  const units = negative ? -a.units : a.units;
  const divisor = BigInt(count) * 10n ** BigInt(a.scale);
  // Enough digits after the first significant one, so that the parse of the text is the only rounding.
  const shift = Math.max(precision, precision + String(divisor).length - String(units).length);
  const quotient = (units * 10n ** BigInt(shift)) / divisor;
  return Number(`${negative ? '-' : ''}${quotient}e-${shift}`);
}

/** Canonical text: no exponent, no trailing zeros, no `-0`. */
export function formatDecimal({ units, scale }: Decimal): string {
  const negative = units < 0n;
  const digits = String(negative ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale);
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function fromDigits(negative: boolean, whole: string, fraction: string, exponent: number): Decimal {
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - exponent;
  const units = negative ? -digits : digits;
  return scale >= 0 ? normalise(units, scale) : normalise(units * 10n ** BigInt(-scale), 0);
}

function normalise(units: bigint, scale: number): Decimal {
  let trimmed = units;
  let places = scale;
  while (places > 0 && trimmed % 10n === 0n) {
    trimmed /= 10n;
    places--;
  }
  return { units: trimmed, scale: places };
}

function rescale(value: Decimal, scale: number): bigint {
  return value.scale === scale ? value.units : value.units * 10n ** BigInt(scale - value.scale);
}
