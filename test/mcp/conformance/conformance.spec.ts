import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { serve } from '../support/applications.js';
import { ConformanceController } from './application.js';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const IN_BOTH = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];
/** What has to pass in each revision, among others: a suite that ran nothing finds no failure either. */
const PASSES = {
  '2025-11-25': [...IN_BOTH, 'server-initialize', 'ping', 'server-sse-multiple-streams'],
  '2026-07-28': [...IN_BOTH, 'caching', 'http-header-validation', 'sep-2164-resource-not-found'],
} as const;
const REVISIONS = Object.keys(PASSES) as (keyof typeof PASSES)[];

/** A scenario that passed, with something checked. */
const PASSED = /^✓ (\S+): [1-9]\d* passed, 0 failed/gm;

const isAsked = process.env['CI'] === 'true' || process.env['MCP_CONFORMANCE'] === 'true';
if (!isAsked) process.stderr.write('MCP_CONFORMANCE is not "true": the MCP conformance suite is left out.\n');

(isAsked ? describe : describe.skip).each(PLATFORMS)('the public conformance suite of MCP on %s', (platform) => {
  afterEach(closeApplications);

  it.each(REVISIONS)(
    'finds for revision %s what the baseline says, and nothing else',
    async (revision) => {
      const { url } = await serve(
        platform,
        { controllers: [ConformanceController] },
        { palette: { sharedFilterGrammar: true }, mcp: { progressIntervalMs: 50 } },
      );
      const { code, output } = await runSuite(url, revision);
      if (code !== 0) process.stderr.write(output);
      expect(code).toBe(0);
      const passed = [...output.matchAll(PASSED)].map(([, scenario]) => scenario);
      expect(passed).toEqual(expect.arrayContaining([...PASSES[revision]]));
    },
    600_000,
  );
});

/** The suite needs Node 22, which it brings along. Its exit code is 0 where the failures are those of the baseline. */
function runSuite(url: string, revision: string): Promise<{ readonly code: number; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const baseline = join(import.meta.dirname, `baseline-${revision}.yml`);
  const packages = ['-y', '-p', 'node@22', '-p', SUITE];
  const options = ['--url', url, '--requirements', revision, '--expected-failures', baseline, '--output-dir', folder];
  return new Promise((resolve) => {
    const command = ['npx', ...packages, 'conformance', 'server', ...options];
    execFile(
      command[0] as string,
      command.slice(1),
      { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64_000_000 },
      (error, stdout, stderr) => {
        rmSync(folder, { recursive: true, force: true });
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: `${stdout}\n${stderr}` });
      },
    );
  });
}
