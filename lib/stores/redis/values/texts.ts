/**
 * A text as the inside of a JSON string: without control characters and half surrogate pairs, which the client or the scripts
 * would change. Different texts stay different, and can be compared, named after, and set between quotes, as they are.
 */
export function toText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromText(stored: string): string {
  return JSON.parse(`"${stored}"`) as string;
}

/** `toText` of what may be absent, for an input: what is undefined is not in its JSON. */
export function toOptionalText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : toText(text);
}

export function fromOptionalText(stored: string | undefined): string | undefined {
  return stored === undefined ? undefined : fromText(stored);
}
