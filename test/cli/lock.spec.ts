import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaletteLock } from '../../lib/cli/lock/palette-lock.js';
import { runCli } from './run-cli.js';

describe('nestjs-palette lock', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestjs-palette-cli-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lockText = (name = 'palette.lock.json') => readFile(join(folder, name), 'utf8');

  it('writes what agents may see, do and send', async () => {
    const { exitCode, stdout } = await runCli(['lock', '@notes'], folder);
    expect([exitCode, stdout]).toEqual([0, 'palette.lock.json: 5 operations, 1 palette, 2 tools, 1 egress service\n']);
    const lock = JSON.parse(await lockText()) as PaletteLock;
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(Object.keys(lock)).toEqual(['lockfileVersion', 'operations', 'palettes', 'egress']);
    expect(lock.operations['notes.remove']).toEqual({
      kind: 'command',
      route: 'DELETE /notes/:id',
      description: 'Delete a note.',
      schema: hash,
    });
    expect(lock.palettes).toEqual({
      reading: {
        readOnly: true,
        include: ['notes.list', 'NotesController.read'],
        tools: {
          notes__list: {
            operation: 'notes.list',
            annotations: { destructive: false, idempotent: false, readOnly: true },
            arguments: expect.objectContaining({ filters: 'optional', page: 'optional' }),
            policy: {
              sentence: 'Filterable fields — $eq on every field; string: title.',
              filterable: { title: ['$eq'] },
              sortable: [],
              aggregatable: {},
              returnable: ['title'],
              maxSize: 100,
            },
            schema: hash,
            definition: hash,
          },
          notes__read: {
            operation: 'notes.read',
            annotations: { destructive: false, idempotent: true, readOnly: true },
            arguments: { id: 'required' },
            schema: hash,
            definition: hash,
          },
        },
      },
    });
    expect(lock.egress).toEqual({
      model: {
        origin: 'https://api.provider.example',
        basePath: '/v1',
        sensitive: true,
        acknowledged: { by: 'data protection', on: '2026-01-31', reason: 'reviewed' },
        operations: { send: 'POST /messages' },
      },
    });
  });

  it('writes the same bytes each time, by a preview and by a boot, wherever it stands', async () => {
    await runCli(['lock', '@notes'], folder);
    await runCli(['lock', '@notes', '--file', 'again.json'], folder);
    await runCli(['lock', '@notes', '--file', 'booted.json', '--boot'], folder);
    await runCli(['lock', '@notes', '--file', 'fastify.json', '--platform', 'fastify'], folder);
    const text = await lockText();
    const others = await Promise.all(['again.json', 'booted.json', 'fastify.json'].map(lockText));
    expect(others).toEqual([text, text, text]);
    expect(text.endsWith('}\n')).toBe(true);
    for (const place of [folder, process.cwd(), import.meta.dirname]) expect(text).not.toContain(place);
  });

  it('does not depend on the order in which operations and palettes are declared', async () => {
    await runCli(['lock', '@notes#twice'], folder);
    await runCli(['lock', '@notes#reordered', '--file', 'other.json'], folder);
    expect(await lockText('other.json')).toBe(await lockText());
  });

  it('locks the same arguments where the filter grammar is told apart, and another definition', async () => {
    await runCli(['lock', '@notes'], folder);
    const { exitCode, stdout } = await runCli(['lock', '@notes#shared', '--check'], folder);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').filter((line) => /^ +[+~-] /.test(line))).toEqual([
      '  ~ tool notes__list of palette "reading": what a model is told is another',
    ]);
  });

  it('tells what a new lock changes', async () => {
    await runCli(['lock', '@notes'], folder);
    const { exitCode, stdout } = await runCli(['lock', '@notes#widened'], folder);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('+ palette "reading": takes commands now (readOnly: false)');
    expect((await runCli(['lock', '@notes#widened', '--check'], folder)).exitCode).toBe(0);
  });

  it('writes over a file that cannot be read as a lock, such as a merge conflict', async () => {
    await writeFile(join(folder, 'palette.lock.json'), '<<<<<<< ours');
    expect((await runCli(['lock', '@notes'], folder)).exitCode).toBe(0);
    expect((await runCli(['lock', '@notes', '--check'], folder)).exitCode).toBe(0);
  });

  it('refuses a place where no file can be', async () => {
    const { exitCode, stderr } = await runCli(['lock', '@notes', '--file', 'no/such/folder.json'], folder);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot be written');
  });

  describe('--check', () => {
    it('passes where nothing changed, and changes nothing itself', async () => {
      await runCli(['lock', '@notes'], folder);
      const text = await lockText();
      const { exitCode, stdout, stderr } = await runCli(['lock', '@notes', '--check'], folder);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toBe(
        'palette.lock.json matches the application: 5 operations, 1 palette, 2 tools, 1 egress service\n',
      );
      expect(await lockText()).toBe(text);
    });

    it('fails with what agents gained in front', async () => {
      await runCli(['lock', '@notes'], folder);
      const text = await lockText();
      const { exitCode, stdout } = await runCli(['lock', '@notes#widened', '--check'], folder);
      expect(exitCode).toBe(1);
      const lines = stdout.split('\n');
      expect(lines.slice(0, 12)).toEqual([
        'palette.lock.json does not match the application.',
        '',
        'Gained: what agents may see, do or send now and could not before',
        '  + palette "listing": is new, read-only',
        '  + tool notes__list of palette "listing": is new: notes.list, query, POST /notes/list',
        '  + palette "reading": takes commands now (readOnly: false)',
        '  + tool notes__list of palette "reading": takes the argument "sorts" (optional)',
        '  + tool notes__list of palette "reading": policy: filters category with $eq, $in, $neq, $nin, $null',
        '  + tool notes__list of palette "reading": policy: filters title with $ilike, $in, $like, $neq, $nin, $null, $regex',
        '  + tool notes__list of palette "reading": policy: sorts by title',
        '  + tool notes__remove of palette "reading": is new: notes.remove, command, DELETE /notes/:id, destructive',
        '  + egress service "model": goes to: "https://api.provider.example/v1" -> "https://eu.provider.example/v1"',
      ]);
      expect(lines.at(-2)).toMatch(/^Where this is meant, write it anew: npx nestjs-palette lock .*#widened$/);
      expect(await lockText()).toBe(text);
    });

    it('fails where agents lost something, too', async () => {
      await runCli(['lock', '@notes#widened', '--file', 'agents.json'], folder);
      const { exitCode, stdout } = await runCli(['lock', '@notes', '--check', '--file', 'agents.json'], folder);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('  - tool notes__remove of palette "reading": is gone');
      expect(stdout).toContain('--file agents.json\n');
    });

    it('fails where the application is reached otherwise', async () => {
      await runCli(['lock', '@notes'], folder);
      const { exitCode, stdout } = await runCli(['lock', '@configured', '--check'], folder);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('operation notes.read (reading): route: "GET /notes/:id" -> "GET /api/v2/notes/:id"');
      expect(stdout).not.toContain('Gained');
    });

    it('prints changes as JSON', async () => {
      await runCli(['lock', '@notes'], folder);
      const { exitCode, stdout } = await runCli(['lock', '@notes#widened', '--check', '--json'], folder);
      expect(exitCode).toBe(1);
      const { isEqual, changes } = JSON.parse(stdout) as { isEqual: boolean; changes: unknown[] };
      expect(isEqual).toBe(false);
      expect(changes).toContainEqual({
        effect: 'gained',
        at: 'palette "reading"',
        what: 'takes commands now (readOnly: false)',
      });
      const equal = await runCli(['lock', '@notes', '--check', '--json'], folder);
      expect([equal.exitCode, JSON.parse(equal.stdout)]).toEqual([0, { isEqual: true, changes: [] }]);
    });

    it('is wrong usage without a lockfile, and with a broken one', async () => {
      const absent = await runCli(['lock', '@notes', '--check'], folder);
      expect([absent.exitCode, absent.stdout]).toEqual([2, '']);
      expect(absent.stderr).toContain('There is no palette.lock.json. Write it: npx nestjs-palette lock');
      await writeFile(join(folder, 'palette.lock.json'), '{"lockfileVersion": 99}');
      const later = await runCli(['lock', '@notes', '--check'], folder);
      expect([later.exitCode, later.stdout]).toEqual([2, '']);
      expect(later.stderr).toContain('lockfileVersion 99');
    });
  });
});
