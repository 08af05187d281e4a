import type { Palette } from 'nestjs-palette';
import type { Turn } from './answers/answer.service.js';

const WIDTH = 100;
const MAX_ROWS = 14;

/** A palette for people: names, descriptions, and which arguments a tool takes. */
export function renderPalette(palette: Palette): string[] {
  return palette.definitions.flatMap(({ name, description, inputSchema }) => [
    '',
    `  ${name}`,
    ...wrap(description, '      '),
    `      takes: ${Object.keys(inputSchema.properties ?? {}).join(', ')}`,
  ]);
}

/** A turn for people: the question, each tool call, the rows or the refusal, the answer. */
export function renderTurn(who: string, question: string, { toolCalls, results, answer }: Turn): string[] {
  const lines = ['', `${who} asks: ${question}`];
  for (const { callId, toolName, arguments: args } of toolCalls) {
    lines.push(...wrap(`${toolName} ${JSON.stringify(args)}`, '  tool call   '));
    const result = results.find((each) => each.callId === callId);
    if (result !== undefined) lines.push(...renderContent(result.isError, result.content));
  }
  return [...lines, ...wrap(answer, '  answer      ')];
}

function renderContent(isError: boolean, content: unknown): string[] {
  if (isError) {
    const { code, message } = content as { code: string; message: string };
    return wrap(`${code}: ${message}`, '  refused     ');
  }
  const rows = Array.isArray(content) ? (content as object[]) : (content as { hits: object[] }).hits;
  const shown = rows.slice(0, MAX_ROWS).map((row) => `  row         ${JSON.stringify(row).slice(0, WIDTH)}`);
  const rest = rows.length - shown.length;
  return rest > 0 ? [...shown, `              and ${rest} more`] : shown;
}

/** Breaks text at spaces; the first line has the label, the others are indented like it. */
function wrap(text: string, label: string): string[] {
  const lines: string[] = [];
  let line = label;
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length > WIDTH + label.length && line.trim() !== label.trim()) {
      lines.push(line.trimEnd());
      line = ' '.repeat(label.length);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
