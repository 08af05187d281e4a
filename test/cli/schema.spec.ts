import { describe, expect, it } from '@jest/globals';
import { runCli } from './run-cli.js';

describe('nestjs-palette schema', () => {
  it.each(['notes.read', 'notes__read'])('prints what a model is told: %s', async (name) => {
    const { exitCode, stdout } = await runCli(['schema', '@notes', name]);
    const [title, description, empty, ...schema] = stdout.split('\n');
    expect([exitCode, title, description, empty]).toEqual([0, 'notes__read (in reading)', 'Read one note.', '']);
    expect(JSON.parse(schema.join('\n'))).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    });
  });

  it('tells an operation in each form that some palette gives to it', async () => {
    const { stdout } = await runCli(['schema', '@notes#widened', 'notes.list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([
      { palettes: ['listing', 'reading'], description: expect.stringContaining('$ilike') },
    ]);
    const narrowed = await runCli(['schema', '@notes', 'notes.list', '--json']);
    expect(JSON.parse(narrowed.stdout)).toMatchObject([
      { palettes: ['reading'], description: 'List notes. Filterable fields — $eq on every field; string: title.' },
    ]);
  });

  it('tells it as one palette has it', async () => {
    const { stdout } = await runCli(['schema', '@notes#twice', 'notes.read', '--palette', 'again', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ palettes: ['again'], name: 'notes__read' }]);
  });

  it('tells the filter grammar that a schema refers to', async () => {
    const { stdout } = await runCli(['schema', '@notes#shared', 'notes.list']);
    expect(stdout).toContain('\nThe filter grammar is a JSON Schema.');
    expect((await runCli(['schema', '@notes#shared', 'notes.read'])).stdout).not.toContain('filter grammar');
    expect((await runCli(['schema', '@notes', 'notes.list'])).stdout).not.toContain('filter grammar');
  });

  it('tells an operation that no palette holds under its own name', async () => {
    const { exitCode, stdout } = await runCli(['schema', '@notes', 'notes.write']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^notes\.write \(in no palette\)\nWrite a note\.\n/);
  });

  it.each([
    [
      'an unknown operation',
      ['notes.lost'],
      'There is no operation "notes.lost". Operations are: notes.keys, notes.list,',
    ],
    ['an unknown palette', ['notes.read', '--palette', 'x'], 'There is no palette "x". Palettes are: reading.'],
    ['a palette without it', ['notes.write', '--palette', 'reading'], 'does not hold the operation "notes.write"'],
  ])('refuses %s', async (_what, argv, message) => {
    const { exitCode, stdout, stderr } = await runCli(['schema', '@notes', ...argv]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
