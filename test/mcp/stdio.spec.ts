import { ConsoleLogger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { StderrLogger } from 'nestjs-palette/mcp';
import { runCompiled } from '../support/run-compiled.js';

interface Told {
  readonly visits: readonly { readonly era: string; readonly tools: readonly string[]; readonly called: unknown }[];
  readonly listened: readonly { readonly stdout: string; readonly stderr: string; readonly exitCode: number }[];
}

describe('a process that serves a palette over stdio', () => {
  it('serves the one client that started it, as whom it was told, and writes nothing else where the client listens', async () => {
    const { visits, listened } = await runCompiled<Told>('test/mcp/processes/stdio.ts');
    expect(visits.map(({ era }) => era)).toEqual(['2025-11-25', '2026-07-28', '2025-11-25', '2026-07-28']);
    for (const { tools } of visits) expect(tools).toEqual(['notes__read']);
    const called = visits.map((visit) => visit.called);
    for (const each of called.slice(0, 3)) expect(each).toMatchObject({ structuredContent: { notes: 1 } });
    expect(called[3]).toContain('did not accept who is calling');
    expect(listened).toHaveLength(2);
    for (const { stdout, stderr, exitCode } of listened) {
      const messages = stdout.trimEnd().split('\n');
      expect(messages.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } },
        { jsonrpc: '2.0', id: 2, result: { tools: [{ name: 'notes__read' }] } },
        { jsonrpc: '2.0', id: 3, result: { structuredContent: { notes: 1 } } },
      ]);
      expect(stderr).toMatch(/\[Nest\].*Nest application successfully started/);
      for (const text of ['somebody reads', 'somebody still reads', 'somebody fails to read', 'Error: no stack'])
        expect(stderr).toContain(text);
      expect(exitCode).toBe(0);
    }
  }, 120_000);
});

describe('the logger of such a process', () => {
  afterEach(() => void jest.restoreAllMocks());

  const LEVELS = ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'] as const;

  /** What is written where, for a line of each level. */
  function written(logger: ConsoleLogger) {
    const lines = { stdout: [] as string[], stderr: [] as string[] };
    for (const stream of ['stdout', 'stderr'] as const)
      jest.spyOn(process[stream], 'write').mockImplementation((text) => lines[stream].push(String(text)) > 0);
    for (const level of LEVELS) logger[level](`a line of ${level}`, 'Notes');
    jest.restoreAllMocks();
    return { stdout: lines.stdout.join(''), stderr: lines.stderr.join('') };
  }

  it.each([false, true])('writes every level to the error stream, as JSON: %j', (json) => {
    const ours = written(new StderrLogger({ json, colors: false }));
    expect(ours.stdout).toBe('');
    for (const level of LEVELS) expect(ours.stderr).toContain(`a line of ${level}`);
    // Nest's own writes them elsewhere: what is looked at is where it would show.
    expect(written(new ConsoleLogger({ json, colors: false })).stdout).toContain('a line of log');
  });
});
