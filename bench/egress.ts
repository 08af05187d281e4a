import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EgressClient, EgressHttpModule, egressOperation, egressService, egressToken } from 'nestjs-palette';
import { confine } from '../lib/egress/request/confine.js';
import { parseEgressBase, type EgressBase } from '../lib/egress/request/egress-base.js';
import { heapMegabytes, heapRow, measure, microsecondsPerCall, type BenchRow } from './measure.js';

const STREAM_BYTES = 100_000_000;
const CHUNK = Buffer.alloc(65_536, 'x');

const ping = egressOperation({ name: 'ping', method: 'POST', path: '/ping' });
const download = egressOperation({ name: 'download', method: 'GET', path: '/download' });
const upstreamService = egressService({ name: 'upstream', operations: [ping, download] });

/** Calls of a declared service against a bare `fetch` to the same server. */
export async function* egress(): AsyncGenerator<BenchRow> {
  const server = await upstream();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await application(url);
  const client = app.get<EgressClient<typeof upstreamService>>(egressToken(upstreamService), { strict: false });
  try {
    yield await invokeAgainstFetch(client, url);
    yield await fetchAgainstFetch(client, url);
    yield await streamAgainstFetch(client, url);
    yield await heapWhileStreaming(client);
    yield await confinement();
  } finally {
    await app.close();
    server.closeAllConnections();
    server.close();
  }
}

async function upstream(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/download') return response.end('{"ok":true}');
    let left = STREAM_BYTES;
    const write = (): void => {
      while (left > 0) {
        left -= CHUNK.length;
        if (!response.write(CHUNK)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function application(baseUrl: string): Promise<INestApplicationContext> {
  const service = { baseUrl, egressSensitive: false, maxResponseBytes: 2 * STREAM_BYTES };
  @Module({
    imports: [
      EgressHttpModule.forRoot({ services: { upstream: service } }),
      EgressHttpModule.forFeature([upstreamService]),
    ],
  })
  class EgressBenchModule {}
  return NestFactory.createApplicationContext(EgressBenchModule, { logger: false });
}

function invokeAgainstFetch(client: EgressClient<typeof upstreamService>, url: string): Promise<BenchRow> {
  return againstFetch('invoke against fetch', url, () => client.invoke(ping, {}));
}

function fetchAgainstFetch(client: EgressClient<typeof upstreamService>, url: string): Promise<BenchRow> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  return againstFetch("an SDK's fetch against fetch", url, async () =>
    (await client.fetch(`${url}/ping`, post)).json(),
  );
}

function againstFetch(row: string, url: string, call: () => Promise<unknown>): Promise<BenchRow> {
  return measure({
    bench: 'egress',
    row,
    unit: 'us/call',
    maxRatio: 1.3,
    rounds: 9,
    ours: () => microsecondsPerCall(1_000, call),
    other: () => microsecondsPerCall(1_000, () => bareFetch(`${url}/ping`)),
  });
}

/** What a caller would write by hand for the same call. */
async function bareFetch(url: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({}),
  });
  return response.json();
}

function streamAgainstFetch(client: EgressClient<typeof upstreamService>, url: string): Promise<BenchRow> {
  return measure({
    bench: 'egress',
    row: 'stream of 100 MB against fetch',
    unit: 'ms',
    maxRatio: 1.1,
    rounds: 7,
    ours: () => milliseconds(async () => count(client.stream(download, {}))),
    other: () => milliseconds(async () => count((await fetch(`${url}/download`)).body as AsyncIterable<Uint8Array>)),
  });
}

async function heapWhileStreaming(client: EgressClient<typeof upstreamService>): Promise<BenchRow> {
  const before = await heapMegabytes();
  let most = before;
  let bytes = 0;
  for await (const chunk of client.stream(download, {})) {
    const megabytes = Math.floor(bytes / 20_000_000);
    bytes += chunk.byteLength;
    if (Math.floor(bytes / 20_000_000) > megabytes) most = Math.max(most, await heapMegabytes());
  }
  return heapRow('egress', 'heap within a stream of 100 MB against before', most, before);
}

/** The check of one address, against parsing it alone. */
async function confinement(): Promise<BenchRow> {
  const { base } = parseEgressBase('https://api.provider.example/v1') as { base: EgressBase };
  const address = 'https://api.provider.example/v1/files/a%20name/content?limit=10&after=abc';
  const call = { service: 'upstream', operation: 'bench' };
  const row = await measure({
    bench: 'egress',
    row: 'confinement of an address against parsing it',
    unit: 'us/call',
    maxRatio: 20,
    rounds: 9,
    ours: () => microsecondsPerCall(20_000, async () => confine(base, address, call)),
    other: () => microsecondsPerCall(20_000, async () => new URL(address)),
  });
  return { ...row, goal: 'within 20 us', met: row.ours <= 20 };
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function count(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.byteLength;
  if (bytes < STREAM_BYTES) throw new Error(`only ${bytes} bytes came`);
}
