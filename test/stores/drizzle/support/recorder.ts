import type { Logger } from 'drizzle-orm';

/** What Drizzle sent, in order. */
export interface Recorder extends Logger {
  readonly sent: { readonly text: string; readonly parameters: readonly unknown[] }[];
}

export function recorder(): Recorder {
  const sent: Recorder['sent'] = [];
  return { sent, logQuery: (text, parameters) => void sent.push({ text, parameters }) };
}
