/** A part of a statement: texts with a parameter between each two. It holds no value and no name from a caller. */
export interface SqlText {
  /** One more than there are values. */
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** Numbers travel as text, and statements cast them: every driver binds text alike, and no digit is lost. */
export type SqlValue = string | boolean;

/** A statement as a driver takes it. */
export interface SqlStatement {
  readonly text: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * Composes SQL. Parts that are `SqlText` are put in as they are; texts and booleans become parameters.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlText | SqlValue)[]): SqlText {
  const texts = [strings[0] ?? ''];
  const values: SqlValue[] = [];
  parts.forEach((part, index) => {
    const [first = '', ...rest] = typeof part === 'object' ? part.texts : ['', ''];
    texts[texts.length - 1] += first;
    texts.push(...rest);
    values.push(...(typeof part === 'object' ? part.values : [part]));
    texts[texts.length - 1] += strings[index + 1] ?? '';
  });
  return { texts, values };
}

/** Text that stands in a statement as it is: the library's own words, and identifiers that are quoted already. */
export function rawSql(text: string): SqlText {
  return { texts: [text], values: [] };
}

/** @param parts at least one */
export function joinSql(parts: readonly SqlText[], separator: string): SqlText {
  const [first, ...rest] = parts;
  if (first === undefined) throw new TypeError('There is nothing to join.');
  const texts = [...first.texts];
  const values = [...first.values];
  for (const part of rest) {
    const [head = '', ...tail] = part.texts;
    texts[texts.length - 1] += separator + head;
    for (const text of tail) texts.push(text);
    for (const value of part.values) values.push(value);
  }
  return { texts, values };
}

/** @param placeholder what stands for the parameter of an index, from 0: `?`, `$1`, `:name` */
export function toStatement({ texts, values }: SqlText, placeholder: (index: number) => string): SqlStatement {
  const text = texts.map((part, index) => (index === 0 ? part : placeholder(index - 1) + part)).join('');
  return { text, parameters: values };
}
