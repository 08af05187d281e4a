import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { moduleReference } from './module-reference.js';

it.each([
  ['dist/app.module.js', 'dist/app.module.js', undefined],
  ['dist/app.module.js#AppModule', 'dist/app.module.js', 'AppModule'],
  ['a#b/app.module.js#AppModule', 'a#b/app.module.js', 'AppModule'],
])('reads %s', (text, file, exportName) => {
  expect(moduleReference(text, '/project')).toEqual({ file: join('/project', file), exportName });
});

it('takes a path that has a "#" of its own for a path, where there is such a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nestjs-palette-reference-'));
  await writeFile(join(folder, 'app#1.js'), '');
  expect(moduleReference('app#1.js', folder)).toEqual({ file: join(folder, 'app#1.js'), exportName: undefined });
  await rm(folder, { recursive: true });
});
