import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { compileLibrary } from '../egress/support/compiled-library.js';
import { SELF_SIGNED } from './self-signed.js';

/** Ways out of a Node process. Each is tried in a process of its own that begins with the guard; `PORT` and `SECURE` are told. */
const WAYS: Readonly<Record<string, string>> = {
  fetch: "await fetch('http://127.0.0.1:' + PORT + '/fetch');",
  undici: "const { request } = await import('undici'); await request('http://127.0.0.1:' + PORT + '/undici');",
  axios: "const { default: axios } = await import('axios'); await axios.get('http://127.0.0.1:' + PORT + '/axios');",
  http: "const { get } = await import('node:http'); await new Promise((done, fail) => get('http://127.0.0.1:' + PORT, done).on('error', fail));",
  https:
    "const { get } = await import('node:https'); await new Promise((done, fail) => get({ host: '127.0.0.1', port: SECURE, rejectUnauthorized: false }, done).on('error', fail));",
  net: "const { connect } = await import('node:net'); await new Promise((done, fail) => { const socket = connect(PORT, '127.0.0.1', () => socket.end('GET / HTTP/1.0\\r\\n\\r\\n', done)).on('error', fail); });",
  tls: "const { connect } = await import('node:tls'); await new Promise((done, fail) => connect({ host: '127.0.0.1', port: SECURE, rejectUnauthorized: false }, done).on('error', fail));",
  http2:
    "const { connect } = await import('node:http2'); await new Promise((done, fail) => connect('https://127.0.0.1:' + SECURE, { rejectUnauthorized: false }, done).on('error', fail));",
  ws: "const { WebSocket } = await import('ws'); await new Promise((done, fail) => new WebSocket('ws://127.0.0.1:' + PORT).on('unexpected-response', done).on('error', fail));",
  worker:
    "const { Worker } = await import('node:worker_threads'); await new Promise((done, fail) => new Worker(\"fetch('http://127.0.0.1:\" + PORT + \"').catch((error) => { throw error.cause ?? error; })\", { eval: true }).on('exit', done).on('error', fail));",
  child:
    "const { execFileSync } = await import('node:child_process'); execFileSync(process.execPath, ['--eval', \"fetch('http://127.0.0.1:\" + PORT + \"').then(() => process.exit(0), (error) => { console.error(error.cause?.code ?? error); process.exit(1); })\"], { stdio: ['ignore', 'ignore', 'inherit'] });",
};

let library: ReturnType<typeof compileLibrary>;
let plain: Server;
let secure: Http2SecureServer;
let connections = 0;

beforeAll(async () => {
  library = compileLibrary('egress-guard');
  plain = createServer((_request, response) => void response.end('reached'));
  secure = createSecureServer(
    { ...SELF_SIGNED, allowHTTP1: true },
    (_request, response) => void response.end('reached'),
  );
  for (const server of [plain, secure]) {
    server.on('connection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
});
beforeEach(() => {
  connections = 0;
});
afterAll(() => {
  plain.close();
  secure.close();
  library.remove();
});

interface Ending {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs a piece of a program in a process that the guard was loaded into before anything else. */
function run(body: string, environment: Readonly<Record<string, string>>): Promise<Ending> {
  const guard = pathToFileURL(join(library.entry, '../../egress-guard/index.js')).href;
  const [PORT, SECURE] = [plain, secure].map((server) => (server.address() as AddressInfo).port);
  const program = `const PORT = ${PORT}, SECURE = ${SECURE};
    try { ${body} console.error('went out'); process.exit(0); }
    catch (error) { console.error('refused', error.cause?.code ?? error.code); process.exit(3); }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      NODE_OPTIONS: `--import ${guard}`,
      NESTJS_PALETTE_EGRESS_LOOPBACK: 'check',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve) => {
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

describe.each(Object.entries(WAYS))('a connection by %s', (way, body) => {
  it('is closed before it reaches anybody where the guard enforces', async () => {
    const { code, stderr } = await run(body, { NESTJS_PALETTE_EGRESS_GUARD: 'enforce' });
    expect(stderr).toContain('egress_undeclared');
    expect(stderr).not.toContain('went out');
    expect({ code, connections }).toEqual({ code: 3, connections: 0 });
  });

  it('is told of, and goes out, where the guard reports', async () => {
    const { code, stderr } = await run(body, { NESTJS_PALETTE_EGRESS_GUARD: 'report' });
    expect(stderr).toMatch(
      /\[egress_undeclared\] UndeclaredEgress: A connection to 127\.0\.0\.1:\d+ is no declared egress/,
    );
    expect({ code, isReached: connections > 0 }).toEqual({ code: 0, isReached: true });
  });

  it.each([
    ['the guard is off', { NESTJS_PALETTE_EGRESS_GUARD: 'off' }],
    [
      'its destination is infrastructure',
      { NESTJS_PALETTE_EGRESS_GUARD: 'enforce', NESTJS_PALETTE_EGRESS_INFRASTRUCTURE: '127.0.0.1' },
    ],
  ])('goes out, and nothing is told, where %s', async (_what, environment) => {
    const { code, stderr } = await run(body, environment);
    expect(stderr).not.toContain('egress_undeclared');
    expect({ code, isReached: connections > 0, way }).toEqual({ code: 0, isReached: true, way });
  });
});

describe('a declared service in a guarded process', () => {
  const enforce = { NESTJS_PALETTE_EGRESS_GUARD: 'enforce' };
  const declared = (): string => `
    await import('reflect-metadata');
    const { Module } = await import('@nestjs/common');
    const { NestFactory } = await import('@nestjs/core');
    const { EgressHttpModule, egressOperation, egressService, egressToken } = await import(${JSON.stringify(pathToFileURL(library.entry).href)});
    const ping = egressOperation({ name: 'ping', method: 'GET', path: '/ping' });
    const service = egressService({ name: 'model', operations: [ping] });
    class AppModule {}
    Module({ imports: [
      EgressHttpModule.forRoot({ services: { model: { baseUrl: 'http://127.0.0.1:' + PORT, egressSensitive: false } } }),
      EgressHttpModule.forFeature([service]),
    ] })(AppModule);
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
    await app.get(egressToken(service), { strict: false }).invoke(ping, {});
    console.error('declared went out');`;

  it('sends', async () => {
    const { code, stderr } = await run(declared(), enforce);
    expect(stderr).not.toContain('egress_undeclared');
    expect({ code, connections }).toEqual({ code: 0, connections: 1 });
  });

  it.each(['fetch', 'undici'])('leaves nothing open that a raw %s could go out by', async (way) => {
    const { code, stderr } = await run(`${declared()} ${WAYS[way]}`, enforce);
    expect(stderr).toContain('declared went out');
    expect(stderr).toContain('egress_undeclared');
    expect({ code, connections }).toEqual({ code: 3, connections: 1 });
  });
});

describe('loading the guard', () => {
  it('refuses a mode that there is none of', async () => {
    const { code, stderr } = await run('', { NESTJS_PALETTE_EGRESS_GUARD: 'on' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('NESTJS_PALETTE_EGRESS_GUARD is none of "off", "report" and "enforce".');
  });

  it('refuses infrastructure that it cannot read', async () => {
    const environment = { NESTJS_PALETTE_EGRESS_GUARD: 'report', NESTJS_PALETTE_EGRESS_INFRASTRUCTURE: 'http://db' };
    const { code, stderr } = await run('', environment);
    expect(code).not.toBe(0);
    expect(stderr).toContain('neither "host" nor "host:port": "http://db"');
  });

  it('does nothing without a mode', async () => {
    const { code, stderr } = await run(WAYS['fetch'] as string, { NESTJS_PALETTE_EGRESS_GUARD: '' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'went out\n' });
  });
});
