import { hasDotSegment, pathReadings } from './segments.js';

/** Why a value cannot be a path parameter. */
export type PathParameterProblem =
  'missing' | 'not_text' | 'empty' | 'control_character' | 'lone_surrogate' | 'dot_segment';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Encodes a value as a piece of one path segment. `encodeURIComponent('..')` stays `..`, hence the checks. */
export function encodePathParameter(
  value: unknown,
): { readonly text: string } | { readonly problem: PathParameterProblem } {
  if (value === undefined || value === null) return { problem: 'missing' };
  if (!isText(value)) return { problem: 'not_text' };
  const text = String(value);
  const problem = textProblem(text);
  return problem === undefined ? { text: encodeURIComponent(text) } : { problem };
}

function isText(value: unknown): value is string | number | boolean | bigint {
  return (
    ['string', 'boolean', 'bigint'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value))
  );
}

function textProblem(text: string): PathParameterProblem | undefined {
  if (text === '') return 'empty';
  if (/\p{Surrogate}/u.test(text)) return 'lone_surrogate';
  const readings = pathReadings(text);
  if (readings === undefined || readings.some(hasDotSegment)) return 'dot_segment';
  return readings.some((reading) => CONTROL.test(reading)) ? 'control_character' : undefined;
}
