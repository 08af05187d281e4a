import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileLibrary } from './support/compiled-library.js';

let library: ReturnType<typeof compileLibrary>;

beforeAll(() => {
  library = compileLibrary('egress-gate');
});
afterAll(() => library.remove());

interface Boot {
  readonly root: string;
  readonly create?: string;
}

/** Boots an application in a process of its own, as `main.ts` would, and yields how that ended. */
function run({ root, create = '{ logger: false }' }: Boot): { code: number | null; stdout: string; stderr: string } {
  const main = `
    import 'reflect-metadata';
    import { Module } from '@nestjs/common';
    import { NestFactory } from '@nestjs/core';
    const { EgressHttpModule } = await import(${JSON.stringify(pathToFileURL(library.entry).href)});
    const model = { baseUrl: 'https://api.provider.example', egressSensitive: true };
    const accepted = { ...model, acknowledgeDataEgress: true };
    class AppModule {}
    Module({ imports: [${root}] })(AppModule);
    const app = await NestFactory.create(AppModule, ${create});
    await app.init();
    await app.close();
    console.log('booted');
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', main], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  });
  return { code: status, stdout, stderr };
}

describe('a process whose boot is refused', () => {
  it('says why for static configuration, even where Nest logs nothing', () => {
    const { code, stdout, stderr } = run({ root: 'EgressHttpModule.forRoot({ services: { model } })' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('[http_egress_unacknowledged]');
    expect(stderr).toContain('services.model.acknowledgeDataEgress');
    expect(stdout).not.toContain('booted');
  });

  it('says why for asynchronous configuration in the log of Nest', () => {
    const { code, stdout, stderr } = run({
      root: 'EgressHttpModule.forRootAsync({ useFactory: async () => ({ services: { model } }) })',
      create: `{ logger: ['error'] }`,
    });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('[http_egress_unacknowledged]');
    expect(stdout).not.toContain('booted');
  });

  it('ends for asynchronous configuration also where Nest logs nothing', () => {
    const root = 'EgressHttpModule.forRootAsync({ useFactory: async () => ({ services: { model } }) })';
    const { code, stdout } = run({ root });
    expect(code).not.toBe(0);
    expect(stdout).not.toContain('booted');
  });

  it.each([
    'EgressHttpModule.forRoot({ services: { model: accepted } })',
    'EgressHttpModule.forRootAsync({ useFactory: async () => ({ services: { model: accepted } }) })',
  ])('boots with %s', (root) => {
    expect(run({ root })).toMatchObject({ code: 0, stdout: 'booted\n', stderr: '' });
  });
});
