import { isPlainObject, MAX_TIMER_MS, ownValue, type BootFaults } from '../../common/index.js';
import { EgressCredentials } from '../egress-credentials.js';
import { isCredentialHeader, isFramingHeader, isHeaderName, isHeaderValue } from '../request/header-names.js';
import { kindOf } from './acknowledgement.js';

type Raw = Record<string, unknown>;

/** A key that nothing reads is a setting that somebody believes in: `egressSensetive: true` must not be ignored. */
export function reportUnknownKeys(raw: Raw, known: readonly string[], at: string, faults: BootFaults): void {
  for (const key of Object.keys(raw)) {
    if (known.includes(key)) continue;
    faults.add('egress_options_invalid', { key: at + key, what: `is not an option: there are ${known.join(', ')}` });
  }
}

export function readBoolean(raw: Raw, key: string, at: string, byDefault: boolean, faults: BootFaults): boolean {
  const value = ownValue(raw, key);
  if (value === undefined) return byDefault;
  if (typeof value === 'boolean') return value;
  faults.add('egress_options_invalid', { key: at + key, what: `is ${kindOf(value)} and not a boolean` });
  return byDefault;
}

/** A count or a time: a positive whole number, and no longer than a timer holds. */
export function readNumber(raw: Raw, key: string, at: string, byDefault: number, faults: BootFaults): number {
  const value = ownValue(raw, key);
  if (value === undefined) return byDefault;
  if (Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_TIMER_MS) return value as number;
  faults.add('egress_options_invalid', { key: at + key, what: `must be a whole number from 1 to ${MAX_TIMER_MS}` });
  return byDefault;
}

/** As `readNumber`, for what may be left out. */
export function readOptionalNumber(raw: Raw, key: string, at: string, faults: BootFaults): number | undefined {
  return ownValue(raw, key) === undefined ? undefined : readNumber(raw, key, at, 0, faults);
}

export function readChoice<const Choice extends string>(
  raw: Raw,
  key: string,
  at: string,
  choices: readonly [Choice, ...Choice[]],
  faults: BootFaults,
): Choice {
  const value = ownValue(raw, key);
  if (value === undefined) return choices[0];
  const choice = choices.find((each) => each === value);
  if (choice === undefined) {
    faults.add('egress_options_invalid', { key: at + key, what: `must be one of ${choices.join(', ')}` });
  }
  return choice ?? choices[0];
}

/** The name of a header that we set ourselves. */
export function readHeaderName(raw: Raw, key: string, at: string, faults: BootFaults): string | undefined {
  const value = ownValue(raw, key);
  if (value === undefined) return undefined;
  const what = typeof value !== 'string' ? `is ${kindOf(value)}, not the name of a header` : reservedNameFault(value);
  if (what !== undefined) faults.add('egress_options_invalid', { key: at + key, what });
  return String(value).toLowerCase();
}

export function readCredentials(raw: Raw, at: string, faults: BootFaults): EgressCredentials | undefined {
  const value = ownValue(raw, 'credentials');
  if (value === undefined) return undefined;
  const report = (what: string) => faults.add('egress_options_invalid', { key: `${at}credentials`, what });
  if (!(value instanceof EgressCredentials)) {
    report('must be made by `bearer` or `headerCredential`');
    return undefined;
  }
  if (!value.hasProvider) report('needs a function that yields the secret, not the secret');
  if (!isHeaderName(value.headerName) || isFramingHeader(value.headerName))
    report('names no header that it can be sent in');
  return value;
}

export function readHeaders(raw: Raw, at: string, faults: BootFaults): Readonly<Record<string, string>> {
  const value = ownValue(raw, 'headers');
  if (value === undefined) return {};
  if (!isPlainObject(value)) {
    faults.add('egress_options_invalid', { key: `${at}headers`, what: `is ${kindOf(value)}, not an object` });
    return {};
  }
  for (const [name, text] of Object.entries(value)) {
    const what = headerFault(name, text);
    if (what !== undefined) faults.add('egress_options_invalid', { key: `${at}headers`, what });
  }
  return Object.freeze({ ...value }) as Readonly<Record<string, string>>;
}

function reservedNameFault(name: string): string | undefined {
  if (!isHeaderName(name)) return 'has a name that is not a header name';
  if (isCredentialHeader(name)) return `sets "${name}": use \`credentials\``;
  return isFramingHeader(name) ? `sets "${name}", which the transport owns` : undefined;
}

function headerFault(name: string, value: unknown): string | undefined {
  const fault = reservedNameFault(name);
  if (fault !== undefined) return fault;
  return typeof value === 'string' && isHeaderValue(value)
    ? undefined
    : `has a value for "${name}" that cannot be sent`;
}
