/** `units * 10^exponent`, the units without trailing zeros. */
export interface Scientific {
  readonly units: bigint;
  readonly exponent: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/;

/** Reads `-1.50`, `1.5E+3`; undefined for anything else, `NaN` and `Infinity` included. */
export function parseScientific(text: string): Scientific | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  return trimmed(BigInt(`${sign}${whole}${fraction}`), Number(exponent) - fraction.length);
}

/** The greatest number of so many digits that is not greater. */
export function roundDown({ units, exponent }: Scientific, digits: number): Scientific {
  const surplus = String(units < 0n ? -units : units).length - digits;
  if (surplus <= 0) return { units, exponent };
  const divisor = 10n ** BigInt(surplus);
  const quotient = units / divisor;
  // Division drops digits towards zero.
  return trimmed(units < 0n && units % divisor !== 0n ? quotient - 1n : quotient, exponent + surplus);
}

/** Without an exponent: `1500`, `-0.0015`. */
export function plainText({ units, exponent }: Scientific): string {
  if (exponent >= 0) return String(units * 10n ** BigInt(exponent));
  const digits = String(units < 0n ? -units : units).padStart(1 - exponent, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function trimmed(units: bigint, exponent: number): Scientific {
  if (units === 0n) return { units, exponent: 0 };
  const zeros = /0*$/.exec(String(units))?.[0].length ?? 0;
  return { units: units / 10n ** BigInt(zeros), exponent: exponent + zeros };
}
