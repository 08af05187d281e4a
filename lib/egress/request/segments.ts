/** How often a path is decoded to see what a server that decodes too often would see. */
const MAX_DECODINGS = 8;
/** `.`, `/` and `\` in UTF-8 that is longer than it may be; decoders that accept it see a dot segment. */
const OVERLONG = /%(?:c0|e0%80|f0%80%80)%(?:ae|af)|%c1%9c/i;

/**
 * Every reading of a path that some server may have: as it is, decoded once, decoded again, and so on until nothing changes,
 * each with `\` taken for `/`. Undefined where a reading is not one that any honest path has.
 */
export function pathReadings(path: string): string[] | undefined {
  const readings = [path.replaceAll('\\', '/')];
  let current = path;
  for (let count = 0; count < MAX_DECODINGS; count++) {
    if (OVERLONG.test(current)) return undefined;
    const decoded = decodeAscii(current);
    if (decoded === current) return readings;
    readings.push(decoded.replaceAll('\\', '/'));
    current = decoded;
  }
  return undefined;
}

/** True where one segment of a reading is `.` or `..`, also as servers with path parameters or wide characters read it. */
export function hasDotSegment(reading: string): boolean {
  return reading.split('/').some(isDotSegment);
}

/** A path with its dot segments resolved, as RFC 3986 5.2.4 has it. */
export function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (!isDotSegment(segment)) kept.push(segment);
    else if (dotsOf(segment) === '..' && kept.length > 1) kept.pop();
  }
  return kept.join('/');
}

function isDotSegment(segment: string): boolean {
  const dots = dotsOf(segment);
  return dots === '.' || dots === '..';
}

/** `..;x` is `..` to servlet containers, and a fullwidth or two-dot-leader spelling is to whoever normalises. */
function dotsOf(segment: string): string {
  return (segment.split(';')[0] ?? '').normalize('NFKC').trim();
}

function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
