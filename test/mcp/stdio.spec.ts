import { describe, expect, it } from '@jest/globals';
import { runCompiled } from '../support/run-compiled.js';

interface Visit {
  readonly era: string;
  readonly tools: readonly string[];
  readonly called: unknown;
}

describe('a palette over stdio', () => {
  it('serves the one client that started the process, of either era, as whom the process was told', async () => {
    const visits = await runCompiled<Visit[]>('test/mcp/processes/stdio.ts');
    expect(visits.map(({ era }) => era)).toEqual(['2025-11-25', '2025-11-25', '2026-07-28', '2026-07-28']);
    for (const { tools } of visits) expect(tools).toEqual(['notes__read']);
    const [legacy, legacyRefused, modern, modernRefused] = visits.map(({ called }) => called);
    for (const called of [legacy, modern]) expect(called).toMatchObject({ structuredContent: { notes: 1 } });
    for (const called of [legacyRefused, modernRefused]) expect(called).toContain('did not accept who is calling');
  }, 120_000);

  it('asks the person at the client about calls that they may decide, in either era', async () => {
    const visits = await runCompiled<Record<string, unknown>>('test/mcp/processes/stdio-asking.ts');
    for (const era of ['2025', '2026']) {
      expect(visits[`${era} accept`]).toEqual({ asked: 1, told: { opened: 1 } });
      expect(visits[`${era} decline`]).toEqual({ asked: 1, told: 'approval_denied' });
      expect(visits[`${era} cancel`]).toEqual({ asked: 1, told: 'approval_required' });
      expect(visits[`${era} undefined`]).toEqual({ asked: 0, told: 'approval_required' });
    }
    expect(visits['2025 never']).toEqual({ asked: 1, told: 'approval_required' });
  }, 120_000);
});
