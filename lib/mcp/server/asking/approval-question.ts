import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { ApprovalRecord } from '../../../approvals/index.js';
import { foreignText } from '../../../common/index.js';

const MAX_REASON = 1_000;
// Nobody reads more than this before saying yes.
const MAX_ARGUMENTS = 8_000;

/**
 * What a person is asked at their client: operation, reason, and the arguments as they would run. To accept is to approve, so
 * there is nothing to fill in. Undefined where the arguments are too long to be judged there.
 */
export function approvalQuestion({
  operation,
  reason,
  arguments: text,
}: ApprovalRecord): ElicitRequestFormParams | undefined {
  const shown = visibleJson(text);
  if (shown.length > MAX_ARGUMENTS) return undefined;
  const message = [
    `${operation} needs your approval: ${foreignText(reason, MAX_REASON)}`,
    `It would run with these arguments: ${shown}`,
  ].join('\n');
  return { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } };
}

/** The same JSON, on one line, with whatever would not be seen or would turn the text around written out. */
function visibleJson(text: string): string {
  return JSON.stringify(JSON.parse(text)).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
