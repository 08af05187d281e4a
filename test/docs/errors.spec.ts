import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES, type ErrorCodeEntry } from 'nestjs-palette';

const PAGE = join(import.meta.dirname, '../../docs/errors.md');

const INTRODUCTION = `# Errors

Everything that this library throws is a \`PaletteError\` with a \`code\` from the table below; its message begins with
\`[code]\`. \`PaletteBootError\` carries every fault that was found at boot, \`DispatchError\`, \`QueryError\` and \`EgressError\` say
what failed at run time. Messages hold names and limits, never a value that somebody sent.

*Retryable* tells whether the same request may succeed later, unchanged. *Who can act*: the \`developer\` of the
application, its \`operator\`, the \`host\` code that runs the agent, or the \`model\`, which is told the code and the message.

| code | message | status | retryable | who can act |
|---|---|---|---|---|
`;

function page(): string {
  const rows = (Object.entries(ERROR_CODES) as [string, ErrorCodeEntry][]).map(
    ([code, entry]) =>
      `| \`${code}\` | ${entry.message.replaceAll('|', '\\|')} | ${entry.status} | ${entry.retryable ? 'yes' : 'no'} | ${entry.actor} |`,
  );
  return `${INTRODUCTION}${rows.join('\n')}\n`;
}

describe('docs/errors.md', () => {
  // `UPDATE_DOCS=true npm test -- test/docs/errors` writes the page.
  it('is the error table, no more and no less', () => {
    if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(PAGE, page());
    expect(readFileSync(PAGE, 'utf8')).toBe(page());
  });
});
