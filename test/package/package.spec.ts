import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../..');
const REQUIRED_PEERS = ['reflect-metadata@0.2', 'rxjs@7', 'class-validator', 'class-transformer'];
const MINUTES = 60_000;

const MANIFEST = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const MCP_PEER = MANIFEST.peerDependencies['@modelcontextprotocol/server'];

// Needs the npm registry: the package is installed as a user would install it.
describe.each([12, 11])('the packed package on Nest %i', (major) => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'nestjs-palette-package-'));
    await run('npm', ['pack', '--pack-destination', project], { cwd: REPOSITORY });
    const [archive] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'user', private: true }));
    await install([`./${archive}`, `@nestjs/common@${major}`, `@nestjs/core@${major}`, ...REQUIRED_PEERS]);
    await cp(join(import.meta.dirname, 'fixture'), project, { recursive: true });
  }, 5 * MINUTES);

  afterAll(() => rm(project, { recursive: true, force: true }));

  async function install(packages: readonly string[]): Promise<void> {
    await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...packages], { cwd: project });
  }

  it('loads with the required peers alone, by import and by require', async () => {
    const imported = await run(
      'node',
      ['-e', "import('nestjs-palette').then((m) => console.log(typeof m.Operation))"],
      {
        cwd: project,
      },
    );
    const required = await run('node', ['-p', "typeof require('nestjs-palette').Operation"], { cwd: project });
    expect([imported.stdout.trim(), required.stdout.trim()]).toEqual(['function', 'function']);
  });

  it.each(['esm.mjs', 'require.cjs'])(
    'boots an application and dispatches a call: %s',
    async (file) => {
      await install([`@nestjs/platform-express@${major}`]);
      const { stdout } = await run('node', [file], { cwd: project });
      expect(JSON.parse(stdout)).toEqual({
        result: { toolCallId: '1', isError: false, content: { id: '7', title: 'A note' } },
        injected: ['Object', 'HttpTransport', 'MessageTransport', 'OperationAudit', 'ApprovalGate'],
      });
    },
    5 * MINUTES,
  );

  it(
    'serves a palette over MCP, with the optional peer that this needs',
    async () => {
      await install([`@nestjs/platform-express@${major}`, `@modelcontextprotocol/server@${MCP_PEER}`]);
      const { stdout } = await run('node', ['mcp.mjs'], { cwd: project });
      const note = { id: '7', title: 'A note' };
      expect(JSON.parse(stdout)).toEqual({ modern: note, legacy: note });
    },
    5 * MINUTES,
  );

  // The lockfile among the fixtures is the same for both majors, both module systems and every machine.
  it.each(['app.module.mjs', 'app.module.cjs'])(
    'locks an application from the command line: %s',
    async (file) => {
      await install([`@nestjs/platform-express@${major}`]);
      expect(await nestjsPalette('lock', file, '--check')).toEqual({
        exitCode: 0,
        stdout: 'palette.lock.json matches the application: 2 operations, 1 palette, 1 tool, 1 egress service\n',
      });
      expect((await nestjsPalette('lock', file, '--file', 'written.json')).exitCode).toBe(0);
      const locks = ['palette.lock.json', 'written.json'].map((name) => readFile(join(project, name), 'utf8'));
      const [committed, written] = await Promise.all(locks);
      expect(written).toBe(committed);
    },
    5 * MINUTES,
  );

  it(
    'fails from the command line where agents gained something, and prints nothing but its answer',
    async () => {
      await install([`@nestjs/platform-express@${major}`]);
      const { exitCode, stdout } = await nestjsPalette('lock', 'app.module.mjs#wider', '--check', '--json');
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ isEqual: false, changes: [{ effect: 'gained' }, {}, {}] });
      expect((await nestjsPalette('inspect', 'app.module.mjs', '--boot')).exitCode).toBe(3);
      expect((await nestjsPalette('inspect')).exitCode).toBe(2);
    },
    5 * MINUTES,
  );

  async function nestjsPalette(...argv: readonly string[]): Promise<{ exitCode: number; stdout: string }> {
    try {
      const { stdout } = await run('npx', ['--no-install', 'nestjs-palette', ...argv], { cwd: project });
      return { exitCode: 0, stdout };
    } catch (error) {
      const { code, stdout } = error as { readonly code: number; readonly stdout: string };
      return { exitCode: code, stdout };
    }
  }
});
