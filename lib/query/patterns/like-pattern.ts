/** One run between two `%`: text, or `undefined` for the one character of `_`. */
type Segment = readonly (string | undefined)[];

export type TextTest = (text: string) => boolean;

/** False where a pattern ends in a lone `\`, which escapes nothing. */
export function isLikePattern(pattern: string): boolean {
  const trailing = /\\+$/.exec(pattern)?.[0].length ?? 0;
  return trailing % 2 === 0;
}

/**
 * A matcher for SQL's `LIKE`: anchored, `%` is any run, `_` one character (code point), `\` escapes. Each segment is
 * found leftmost and never looked for again, so that the time is linear in the text for a pattern of bounded length.
 * @throws RangeError where the pattern ends in a lone `\`
 */
export function compileLike(pattern: string, { foldCase = false } = {}): TextTest {
  const segments = segmentsOf(foldCase ? foldAscii(pattern) : pattern);
  const test = simpleTest(segments) ?? ((text: string) => matchSegments(text, segments));
  return foldCase ? (text) => test(foldAscii(text)) : test;
}

/** Lower-cases `A` to `Z` and nothing else: what every store can agree on. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function segmentsOf(pattern: string): readonly Segment[] {
  if (!isLikePattern(pattern)) throw new RangeError('A LIKE pattern ends in a lone backslash.');
  const segments: (string | undefined)[][] = [[]];
  const characters = [...pattern];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string;
    const segment = segments[segments.length - 1] as (string | undefined)[];
    if (character === '%') segments.push([]);
    else if (character === '_') segment.push(undefined);
    else appendText(segment, character === '\\' ? (characters[++index] as string) : character);
  }
  return segments;
}

function appendText(segment: (string | undefined)[], text: string): void {
  const last = segment[segment.length - 1];
  if (last === undefined) segment.push(text);
  else segment[segment.length - 1] = last + text;
}

/** Patterns without `_` and with at most two `%` are what people write: the engine's own search is fastest. */
function simpleTest(segments: readonly Segment[]): TextTest | undefined {
  if (segments.length > 3 || segments.some((segment) => segment.includes(undefined))) return undefined;
  const [first = '', middle = '', last = ''] = segments.map((segment) => segment[0] ?? '');
  if (segments.length === 1) return (text) => text === first;
  const end = segments.length === 2 ? middle : last;
  const inner = segments.length === 2 ? '' : middle;
  if (first === '' && end === '') return (text) => text.includes(inner);
  const least = first.length + inner.length + end.length;
  return (text) =>
    text.length >= least &&
    text.startsWith(first) &&
    text.endsWith(end) &&
    (inner === '' || isBetween(text.indexOf(inner, first.length), inner, text.length - end.length));
}

function isBetween(start: number, inner: string, end: number): boolean {
  return start >= 0 && start + inner.length <= end;
}

function matchSegments(text: string, segments: readonly Segment[]): boolean {
  const first = segments[0] as Segment;
  const start = matchAt(text, 0, first);
  if (segments.length === 1) return start === text.length;
  if (start < 0) return false;
  const last = segments[segments.length - 1] as Segment;
  const end = startOfLast(text, last);
  if (end < start || matchAt(text, end, last) !== text.length) return false;
  let position = start;
  for (let index = 1; index < segments.length - 1 && position >= 0; index++) {
    position = findSegment(text, position, end, segments[index] as Segment);
  }
  return position >= 0;
}

/** The end of the leftmost match that begins at `from` or later and ends at `limit` or earlier; -1 where there is none. */
function findSegment(text: string, from: number, limit: number, segment: Segment): number {
  const before = segment.findIndex((part) => part !== undefined);
  if (before < 0) return endWithin(matchAt(text, from, segment), limit);
  const anchor = segment[before] as string;
  const after = segment.slice(before + 1);
  // The engine's own search jumps from one place of the first text to the next.
  let place = text.indexOf(anchor, skip(text, from, before));
  while (place >= 0 && place < limit) {
    const end = matchAt(text, place + anchor.length, after);
    if (end >= 0) return endWithin(end, limit);
    place = text.indexOf(anchor, place + 1);
  }
  return -1;
}

function endWithin(end: number, limit: number): number {
  return end <= limit ? end : -1;
}

/** The position `count` characters on; past the end where there are fewer. */
function skip(text: string, from: number, count: number): number {
  let position = from;
  for (let index = 0; index < count; index++) position += widthAt(text, position);
  return position;
}

/** Where a segment that begins at `start` ends; -1 where it does not match there. */
function matchAt(text: string, start: number, segment: Segment): number {
  let position = start;
  for (const part of segment) {
    if (part === undefined) {
      if (position >= text.length) return -1;
      position += widthAt(text, position);
    } else {
      if (!text.startsWith(part, position)) return -1;
      position += part.length;
    }
  }
  return position;
}

/** Where the last segment must begin to end with the text; -1 where the text is too short. */
function startOfLast(text: string, segment: Segment): number {
  let position = text.length;
  for (let index = segment.length - 1; index >= 0 && position >= 0; index--) {
    position -= segment[index]?.length ?? widthBefore(text, position);
  }
  return position;
}

function widthBefore(text: string, position: number): number {
  return isHighSurrogate(text, position - 2) && isLowSurrogate(text, position - 1) ? 2 : 1;
}

function widthAt(text: string, position: number): number {
  return isHighSurrogate(text, position) && isLowSurrogate(text, position + 1) ? 2 : 1;
}

function isHighSurrogate(text: string, position: number): boolean {
  return (text.charCodeAt(position) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, position: number): boolean {
  return (text.charCodeAt(position) & 0xfc00) === 0xdc00;
}
