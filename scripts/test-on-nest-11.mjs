// Runs the type check and the tests of this repository on Nest 11, in a copy of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Packages whose one release takes either Nest.
const BOTH_MAJORS = new Set(['@nestjs/mapped-types', '@nestjs/passport', '@nestjs/throttler']);

// Stores and documentation do not depend on Nest's version.
const IGNORED = ['/node_modules/', '<rootDir>/test/package/', '<rootDir>/test/stores/', '<rootDir>/test/docs/'];

const copy = mkdtempSync(join(tmpdir(), 'nestjs-palette-nest-11-'));
try {
  for (const file of filesOfRepository()) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  rmSync(join(copy, 'package-lock.json'));
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of Object.keys(manifest.devDependencies)) {
    if (name.startsWith('@nestjs/') && !BOTH_MAJORS.has(name)) manifest.devDependencies[name] = '^11.1.0';
  }
  if ('@nestjs/jwt' in manifest.devDependencies) manifest.devDependencies['@nestjs/jwt'] = '^11.0.0';
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest, null, 2));
  run('npm', ['install', '--no-audit', '--no-fund']);
  run('npx', ['tsc', '-p', 'tsconfig.json']);
  run('npm', ['test', '--', ...process.argv.slice(2), '--testPathIgnorePatterns', ...IGNORED]);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function filesOfRepository() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return list.split('\0').filter((file) => file !== '');
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`);
}
