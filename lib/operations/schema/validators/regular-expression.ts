/**
 * The `pattern` of a regular expression; undefined where JSON Schema cannot carry it: its flags change what it means, or
 * it is none under the `u` flag, with which schema validators read patterns.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-6.4
 */
export function schemaPattern(expression: RegExp): string | undefined {
  if ([...expression.flags].some((flag) => !HARMLESS_FLAGS.includes(flag))) return undefined;
  const source = expression.flags.includes('u') ? expression.source : withoutNeedlessEscapes(expression.source);
  return isUnicodePattern(source) ? source : undefined;
}

/** A pattern that finds a text as it stands. */
export function literalPattern(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

/** The expression of a decorator that takes one, or the source and the flags of one; undefined where it is neither. */
export function expressionOf(pattern: unknown, flags: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  try {
    return typeof pattern === 'string' ? new RegExp(pattern, typeof flags === 'string' ? flags : '') : undefined;
  } catch {
    return undefined;
  }
}

// `String.match` starts from the front: `g` and `d` change what it returns, never whether it finds something.
const HARMLESS_FLAGS = 'ugd';

function isUnicodePattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const SYNTAX = '^$\\.*+?()[]{}|/';

/** `\_` means `_` without the `u` flag and nothing with it. */
function withoutNeedlessEscapes(source: string): string {
  let isInClass = false;
  return source.replace(/\\.|[[\]]/gsu, (token) => {
    if (token === '[') isInClass = true;
    else if (token === ']') isInClass = false;
    const escaped = token.slice(1);
    const isNeeded = token.length === 1 || /[A-Za-z0-9]/.test(escaped) || SYNTAX.includes(escaped);
    return isNeeded || (isInClass && escaped === '-') ? token : escaped;
  });
}
