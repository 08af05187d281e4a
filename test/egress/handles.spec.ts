import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { messages, modelService } from './support/model-service.js';
import { json, startUpstream, until, type Answer, type Upstream } from './support/upstream.js';

type Client = EgressApp<typeof modelService>['client'];

const question = { question: 'q' };
const whole = json({ text: 'ok' });
const endless: Answer = (response) => response.writeHead(200).write('x');
const broken: Answer = (response) => {
  response.writeHead(200, { 'content-length': '9' }).write('x');
  setTimeout(() => response.destroy(), 5);
};

const WAYS: [string, Answer, (client: Client, signal: AbortSignal) => Promise<unknown>][] = [
  ['invoke', whole, (client, signal) => client.invoke(messages, question, { signal })],
  ['an invoke that breaks off', broken, (client, signal) => client.invoke(messages, question, { signal })],
  ['an invoke without time', endless, (client, signal) => client.invoke(messages, question, { signal, timeoutMs: 30 })],
  [
    'a stream that is read',
    whole,
    async (client, signal) => {
      for await (const _ of client.stream(messages, question, { signal })) continue;
    },
  ],
  [
    'a stream that is left',
    endless,
    async (client, signal) => {
      for await (const _ of client.stream(messages, question, { signal })) break;
    },
  ],
  ['a stream that nobody began', endless, (client, signal) => client.stream(messages, question, { signal }).return()],
  [
    'a stream that breaks off',
    broken,
    async (client, signal) => {
      for await (const _ of client.stream(messages, question, { signal })) continue;
    },
  ],
  ['a fetch', whole, async (client, signal) => (await client.fetch(client.baseUrl, { signal })).text()],
  [
    'a fetch that is cancelled',
    endless,
    async (client, signal) => (await client.fetch(client.baseUrl, { signal })).body?.cancel(),
  ],
  [
    'a fetch that breaks off',
    broken,
    async (client, signal) => (await client.fetch(client.baseUrl, { signal })).text(),
  ],
];

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

describe('what a call leaves behind', () => {
  let upstream: Upstream;
  let context: EgressApp<typeof modelService>;

  beforeAll(async () => {
    upstream = await startUpstream();
    context = await egressApp(modelService, { baseUrl: upstream.origin, timeoutMs: 60_000, idleTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
  });

  it.each(WAYS)('is no timer, and no connection for each of them, after 20 times %s', async (_, answer, call) => {
    upstream.answer(answer);
    const caller = new AbortController();
    await call(context.client, caller.signal).catch(() => undefined);
    const before = timers();
    for (let count = 0; count < 20; count++) await call(context.client, caller.signal).catch(() => undefined);
    await until(() => timers() <= before + 2, 5_000);
    expect(upstream.connections.open).toBeLessThanOrEqual(5);
  });
});
