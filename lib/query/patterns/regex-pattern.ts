import { RE2JS } from 're2js';
import type { TextTest } from './like-pattern.js';

/**
 * A search for an RE2 pattern anywhere in a text; undefined where it is none: look-around and back-references are not
 * part of the syntax, and repetitions are bounded. Time is linear in the text.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compileRegex(pattern: string): TextTest | undefined {
  try {
    const expression = RE2JS.compile(pattern);
    return (text) => expression.test(text);
  } catch {
    return undefined;
  }
}
