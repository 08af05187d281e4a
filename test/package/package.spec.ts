import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../..');
const REQUIRED_PEERS = ['reflect-metadata@0.2', 'rxjs@7', 'class-validator', 'class-transformer'];
const MINUTES = 60_000;

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
        injected: ['Object', 'HttpTransport', 'MessageTransport', 'OperationAudit'],
      });
    },
    5 * MINUTES,
  );
});
