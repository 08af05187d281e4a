/** `UTC`, or a fixed offset such as `+02:00`: how a date and time without a zone is read. */
export type ZoneOffset = 'UTC' | `${'+' | '-'}${number}:${number}`;

export const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$';
export const DATETIME_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?(Z|[+-]\\d{2}:\\d{2})?$';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATETIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?$/;
const OFFSET = /^([+-])(\d{2}):(\d{2})$/;
const MS_PER_MINUTE = 60_000;

/** A calendar date that exists, `0001-01-01` to `9999-12-31`, as it was written; undefined otherwise. */
export function parseDate(text: string): string | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? text : undefined;
}

/**
 * Milliseconds since the epoch, with microseconds as a fraction; undefined where the text is not a date and time.
 * @see RFC 3339
 */
export function parseDatetime(text: string, zone: ZoneOffset): number | undefined {
  const match = DATETIME.exec(text);
  const date = match && parseDate(match[1] ?? '');
  if (!match || date === undefined || date === null) return undefined;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
  const offsetMinutes = parseZone(match[6] ?? zone);
  if (hours > 23 || minutes > 59 || seconds > 59 || offsetMinutes === undefined) return undefined;
  const microseconds = Number((match[5] ?? '').padEnd(6, '0'));
  return midnight(date) + ((hours * 60 + minutes - offsetMinutes) * 60 + seconds) * 1000 + microseconds / 1000;
}

/** Minutes east of UTC; undefined where the text is no zone. */
export function parseZone(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'UTC') return 0;
  const match = OFFSET.exec(zone);
  if (!match) return undefined;
  const [hours, minutes] = [Number(match[2]), Number(match[3])];
  if (hours > 14 || minutes > 59) return undefined;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Midnight of a date, in the zone given. */
export function midnightOf(date: string, zone: ZoneOffset): number {
  return midnight(date) - (parseZone(zone) ?? 0) * MS_PER_MINUTE;
}

/** Canonical text, in UTC: milliseconds always, microseconds where there are some. */
export function formatDatetime(epochMs: number): string {
  const whole = Math.floor(epochMs);
  const microseconds = Math.round((epochMs - whole) * 1000);
  const text = new Date(whole).toISOString();
  return microseconds === 0 ? text : `${text.slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}

function midnight(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
