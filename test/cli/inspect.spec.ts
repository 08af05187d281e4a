import { describe, expect, it } from '@jest/globals';
import { runCli } from './run-cli.js';

describe('nestjs-palette inspect', () => {
  it('shows operations, palettes, egress, and what schemas leave open', async () => {
    const { exitCode, stdout, stderr } = await runCli(['inspect', '@notes']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.replace(/[\d,]+ characters, about [\d,]+ tokens/g, 'N characters').split('\n')).toEqual([
      'Operations (5)',
      '  name          kind     route              palettes',
      '  notes.keys    query    GET /notes/keys    none: it is marked sensitive, and no palette can hold it',
      '  notes.list    query    POST /notes/list   reading',
      '  notes.read    query    GET /notes/:id     reading',
      '  notes.remove  command  DELETE /notes/:id  none: no palette includes it; a command needs one with readOnly: false',
      '  notes.write   command  POST /notes        none: no palette includes it; a command needs one with readOnly: false',
      '',
      'Palette "reading" (read-only, 2 tools, N characters)',
      '  tool         operation   size',
      '  notes__list  notes.list  N characters',
      '  notes__read  notes.read  N characters',
      '  includes: notes.list, NotesController.read',
      '',
      'Egress (1 service)',
      '  service     to                               sensitive  acknowledged',
      '  model       https://api.provider.example/v1  yes        by data protection on 2026-01-31',
      '  model.send  POST /messages',
      '',
      'Left open by schemas (1)',
      '  operation    where         why',
      '  notes.write  NoteDto.body  is checked by the custom validator "IsPolite", which the schema cannot tell',
      '',
    ]);
  });

  it('prints JSON for programs', async () => {
    const { exitCode, stdout } = await runCli(['inspect', '@notes', '--json']);
    const inspection = JSON.parse(stdout) as { readonly operations: readonly unknown[] };
    const size = { characters: expect.any(Number), tokens: expect.any(Number) };
    expect(exitCode).toBe(0);
    expect(inspection).toMatchObject({
      palettes: [
        {
          name: 'reading',
          readOnly: true,
          include: ['notes.list', 'NotesController.read'],
          tools: [
            { name: 'notes__list', operation: 'notes.list', size },
            { name: 'notes__read', operation: 'notes.read', size },
          ],
          size,
        },
      ],
      egress: [{ name: 'model', origin: 'https://api.provider.example', basePath: '/v1', sensitive: true }],
    });
    expect(inspection.operations).toContainEqual({
      name: 'notes.write',
      kind: 'command',
      route: 'POST /notes',
      description: 'Write a note.',
      palettes: [],
      inNoPaletteBecause: 'no palette includes it; a command needs one with readOnly: false',
      gaps: [
        { at: 'NoteDto.body', why: 'is checked by the custom validator "IsPolite", which the schema cannot tell' },
      ],
    });
  });

  it('gives another reason where a palette takes commands', async () => {
    const { stdout } = await runCli(['inspect', '@notes#widened']);
    expect(stdout).toMatch(/notes\.write +command +POST \/notes +none: no palette includes it\n/);
    expect(stdout).toMatch(/notes\.remove +command +DELETE \/notes\/:id +reading\n/);
  });

  it('gives the reason that there is no palette', async () => {
    const { stdout } = await runCli(['inspect', '@routed']);
    expect(stdout).toMatch(/rooms\.list .* none: there is no palette\n/);
  });
});
