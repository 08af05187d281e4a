import { fileURLToPath } from 'node:url';

const LIBRARY = fileURLToPath(new URL('.', import.meta.url));

/** The first line of the current stack that is the application's or one of its packages'. */
export function openedBy(): string | undefined {
  const { stack = '' } = new Error();
  const lines = stack.split('\n').slice(1);
  return lines.map((line) => line.trim().replace(/^at /, '')).find(isForeign);
}

function isForeign(line: string): boolean {
  const path = line.replaceAll('file://', '');
  return !/\bnode:|<anonymous>/.test(line) && !path.includes(LIBRARY);
}
