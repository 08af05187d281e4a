import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runCli } from './run-cli.js';

describe('the application that a command reads', () => {
  afterEach(() => {
    delete process.env['FIXTURE_DATABASE'];
  });

  it.each([
    ['the default export name', '@notes'],
    ['a function that returns a dynamic module', '@notes#widened'],
    ['an asynchronous one', '@notes#twice'],
    ['the only module of the file', '@routed'],
    ['a named export', '@routed#BuildingModule'],
  ])('is named by %s', async (_what, module) => {
    const { exitCode, stderr } = await runCli(['inspect', module]);
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  it('has the prefix and the versions that `configure` gives to it', async () => {
    const { stdout } = await runCli(['inspect', '@configured']);
    expect(stdout).toContain('GET /api/v2/notes/:id');
  });

  it('may need a boot to be configured', async () => {
    const previewed = await runCli(['inspect', '@needy']);
    expect([previewed.exitCode, previewed.stdout]).toEqual([3, '']);
    expect(previewed.stderr).toMatch(/^`configure` of .* failed: TypeError.*\nIn preview mode there are no providers;/);
    expect((await runCli(['inspect', '@needy', '--boot'])).exitCode).toBe(0);
  });

  it.each([[[]], [['--boot']], [['--platform', 'fastify']]])('has the prefixes of RouterModule %j', async (options) => {
    const { stdout } = await runCli(['inspect', '@routed', ...options]);
    expect(stdout).toContain('GET /office/rooms');
  });

  describe('with providers that connect somewhere', () => {
    it('is read without any of them', async () => {
      const { exitCode, stdout } = await runCli(['inspect', '@database']);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/rows\.list +query +GET \/rows +rows\n/);
      expect(stdout).toContain(
        'Egress\n  Configured by EgressHttpModule.forRootAsync: only a boot tells. Add --boot.\n',
      );
    });

    it('is not locked without a boot where only that tells of egress', async () => {
      const { exitCode, stderr } = await runCli(['lock', '@database']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Add --boot.');
    });

    it('boots in full with --boot', async () => {
      process.env['FIXTURE_DATABASE'] = 'up';
      const { exitCode, stdout } = await runCli(['inspect', '@database', '--boot']);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/search +https:\/\/search\.example +no +no\n/);
    });

    it('is not read where that fails', async () => {
      const { exitCode, stdout, stderr } = await runCli(['inspect', '@database', '--boot']);
      expect([exitCode, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^The application does not boot:\nError: the database does not answer\n/);
    });
  });

  it.each([[[]], [['--boot']]])('does not boot: every fault is told %j', async (options) => {
    const { exitCode, stdout, stderr } = await runCli(['inspect', '@faulty', ...options]);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'The application does not boot:',
      expect.stringMatching(/^ {2}\[operation_route_unresolved\] NotesController\.anything /),
      expect.stringMatching(/^ {2}\[palette_allowlist_empty\] Palette "empty" /),
      expect.stringMatching(/^ {2}\[palette_operation_unknown\] Palette "lost" includes "no\.such"/),
      expect.stringMatching(/^ {2}\[query_policy_field_unknown\] .*"colour"/),
    ]);
  });

  it.each([
    ['Unconfigured', []],
    ['Unconfigured', ['--boot']],
    ['Misconfigured', []],
    ['Misconfigured', ['--boot']],
  ])('does not boot with an egress service that nobody configured: %s %j', async (name, options) => {
    const { exitCode, stderr } = await runCli(['inspect', `@faulty#${name}`, ...options]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^ {2}\[egress_service_unconfigured\] Egress service "model"/m);
  });

  it('does not boot where its module cannot be made', async () => {
    const { exitCode, stderr } = await runCli(['inspect', '@faulty#unacknowledged']);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^The application does not boot:\n {2}\[http_egress_unacknowledged\] .*\n$/);
  });

  it.each([
    ['a module without OperationsModule', '@faulty#WithoutOperations', 'does not import OperationsModule.forRoot(...)'],
    ['an export that is not there', '@notes#Lost', 'has no export "Lost". It exports: AppModule, NotesController, '],
    ['a file that is not there', 'dist/lost.js', 'Build the application first.'],
  ])('is wrong usage: %s', async (_what, module, message) => {
    const { exitCode, stderr } = await runCli(['inspect', module]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('does not boot where its file throws', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nestjs-palette-opening-'));
    await writeFile(join(folder, 'app.mjs'), 'throw new Error("DATABASE_URL is not set");');
    const { exitCode, stderr } = await runCli(['inspect', 'app.mjs'], folder);
    await rm(folder, { recursive: true });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('DATABASE_URL is not set');
  });
});

describe('the command itself', () => {
  it('explains itself', async () => {
    const { exitCode, stdout } = await runCli(['--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: nestjs-palette <command> <module> [options]');
  });

  it('has a version', async () => {
    expect(await runCli(['--version'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+/),
      stderr: '',
    });
  });

  it('is wrong usage without a command', async () => {
    const { exitCode, stdout, stderr } = await runCli([]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: ');
  });
});
