import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';

const REPOSITORY = join(import.meta.dirname, '../..');
const EXPORTS = {
  '.': './lib/index.js',
  './testing': './lib/testing/index.js',
  './postgres': './lib/stores/postgres/index.js',
  './redis': './lib/stores/redis/index.js',
};
const MANIFEST = { name: 'nestjs-palette', type: 'module', exports: EXPORTS };

/** A file of `test/` with the library and the test support, compiled: any number of processes may run it. */
export interface Compiled {
  /** What a process of it printed, and the signal that ended it. Throws where it ended with a failure of its own. */
  run(env: Readonly<Record<string, string>>): Promise<CompiledRun>;
  start(env: Readonly<Record<string, string>>): StartedProcess;
  remove(): void;
}

export interface StartedProcess {
  readonly pid: number | undefined;
  readonly ended: Promise<CompiledRun>;
}

export interface CompiledRun {
  readonly stdout: string;
  readonly signal: NodeJS.Signals | undefined;
}

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
  const compiled = compileAll(file, parts);
  try {
    return JSON.parse((await compiled.run(env)).stdout) as T;
  } finally {
    compiled.remove();
  }
}

/** As `runCompiled`, for many processes, which may be killed. */
export function compileAll(file: string, parts: readonly string[] = []): Compiled {
  // Inside the repository, so that packages are found; its manifest makes `nestjs-palette` its own name.
  mkdirSync(join(REPOSITORY, '.build'), { recursive: true });
  const folder = mkdtempSync(join(REPOSITORY, '.build', 'process-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST));
  for (const part of ['lib', 'test/support', dirname(file), ...parts]) compileFolder(part, folder);
  const path = join(folder, file.replace(/\.ts$/, '.js'));
  return {
    start: (env) => startProcess(path, env),
    run: (env) => startProcess(path, env).ended,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function startProcess(path: string, env: Readonly<Record<string, string>>): StartedProcess {
  const options = { cwd: REPOSITORY, env: { ...process.env, ...env, NODE_OPTIONS: '' } };
  const running = promisify(execFile)(process.execPath, [path], options);
  return { pid: running.child.pid, ended: endOf(running) };
}

async function endOf(running: Promise<{ readonly stdout: string }>): Promise<CompiledRun> {
  try {
    return { stdout: (await running).stdout, signal: undefined };
  } catch (error) {
    const { stdout = '', signal } = error as { readonly stdout?: string; readonly signal?: NodeJS.Signals | null };
    if (signal === undefined || signal === null) throw error;
    return { stdout, signal };
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
