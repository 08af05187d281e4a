/** Any character, line breaks included, without a flag; a code point, since MongoDB's expressions are UTF-8. */
const ANY = '[\\s\\S]';
/** The end and nothing but the end: `$` would also match before a last line break. */
const END = `(?!${ANY})`;

/**
 * `LIKE` as a regular expression, for a store that backtracks. It stays linear in the text all the same: each part
 * between two `%` is looked for leftmost, inside a look-ahead, which no engine goes back into once it has matched. It
 * needs no flags and says the same to PCRE2 and to JavaScript's `u` mode.
 * @see https://www.pcre.org/current/doc/html/pcre2pattern.html#SEC21 (atomic groups)
 */
export function likeExpression(pattern: string, isFolded: boolean): string {
  const [first = '', ...rest] = segmentsOf(pattern, isFolded);
  const last = rest.pop();
  if (last === undefined) return `^${first}${END}`;
  const middle = rest.filter((segment) => segment !== '').map(atomically);
  return `^${first}${middle.join('')}${last === '' ? '' : `${ANY}*${last}${END}`}`;
}

function atomically(segment: string, index: number): string {
  return `(?:(?=(${ANY}*?${segment}))\\${index + 1})`;
}

function segmentsOf(pattern: string, isFolded: boolean): string[] {
  const segments = [''];
  for (const [, escaped, wildcard, plain] of pattern.matchAll(/\\(.)|([%_])|(.)/gsu)) {
    if (wildcard === '%') segments.push('');
    else segments[segments.length - 1] += wildcard === '_' ? ANY : literal(escaped ?? plain ?? '', isFolded);
  }
  return segments;
}

/** Case is folded letter by letter: the flag would fold all of Unicode. */
function literal(character: string, isFolded: boolean): string {
  if (isFolded && /[A-Za-z]/.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return character.replace(/[\\^$.|?*+()[\]{}/]/, '\\$&');
}
