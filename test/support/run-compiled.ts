import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';

const REPOSITORY = join(import.meta.dirname, '../..');
const MANIFEST = { name: 'nestjs-palette', type: 'module', exports: './lib/index.js' };

/**
 * Compiles a file of `test/` with the library and the test support, runs it in a process of its own, and yields the JSON that
 * it prints. For packages that `require` the Nest that is ESM: Node does that, the test runner does not. And for what needs
 * processes of its own.
 *
 * @param parts further folders that it imports from
 * @param env what else its environment holds
 */
export async function runCompiled<T>(
  file: string,
  parts: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  // Inside the repository, so that packages are found; its manifest makes `nestjs-palette` its own name.
  mkdirSync(join(REPOSITORY, '.build'), { recursive: true });
  const folder = mkdtempSync(join(REPOSITORY, '.build', 'process-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST));
    for (const part of ['lib', 'test/support', dirname(file), ...parts]) compileFolder(part, folder);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, file.replace(/\.ts$/, '.js'))], {
      cwd: REPOSITORY,
      env: { ...process.env, ...env, NODE_OPTIONS: '' },
    });
    return JSON.parse(stdout) as T;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compileFolder(part: string, folder: string): void {
  for (const file of readdirSync(join(REPOSITORY, part), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
    const target = join(folder, part, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compile(readFileSync(join(REPOSITORY, part, file), 'utf8'), file));
  }
}

function compile(source: string, filename: string): string {
  return transformSync(source, {
    filename,
    swcrc: false,
    configFile: false,
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  }).code;
}
