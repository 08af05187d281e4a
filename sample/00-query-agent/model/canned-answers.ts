interface Told {
  readonly code?: string;
  readonly message?: string;
  readonly hits?: readonly Record<string, unknown>[];
}

/** What the canned provider says of a tool's result. */
export function answerText(question: string, result: string): string {
  const told = JSON.parse(result) as Told | readonly Record<string, unknown>[];
  if (isList(told)) return `${question} ${told.map(groupText).join(', ')}.`;
  if (told.hits !== undefined) return `${question} ${told.hits.map(rowText).join(', ')}.`;
  return `That was refused (${told.code}): ${told.message}`;
}

function isList(told: Told | readonly Record<string, unknown>[]): told is readonly Record<string, unknown>[] {
  return Array.isArray(told);
}

function groupText(group: Record<string, unknown>): string {
  const [name, count] = Object.values(group);
  return `${name === null ? 'none' : String(name)} ${String(count)}`;
}

function rowText(row: Record<string, unknown>): string {
  const rating = row['rating'] === undefined ? '' : ` (${String(row['rating'])})`;
  return `${String(row['title'])}${rating}`;
}
