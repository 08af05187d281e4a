import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';

const REPOSITORY = join(import.meta.dirname, '../../..');

/**
 * Compiles the parts of the library that egress needs, for tests that look at a whole process. It lies inside the repository,
 * so that packages are found.
 */
export function compileLibrary(name: string): { readonly entry: string; readonly remove: () => void } {
  const folder = join(REPOSITORY, '.build', name);
  for (const part of ['common', 'internal', 'telemetry', 'egress', 'egress-guard'])
    compileFolder(join(REPOSITORY, 'lib', part), join(folder, part));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    entry: join(folder, 'egress/index.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function compileFolder(from: string, to: string): void {
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
    const { code } = transformSync(readFileSync(join(from, file), 'utf8'), {
      filename: file,
      swcrc: false,
      configFile: false,
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        keepClassNames: true,
      },
    });
    const target = join(to, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}
