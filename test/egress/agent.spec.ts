import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EgressServiceOptions } from '../../lib/egress/index.js';
import { eventually } from '../support/eventually.js';
import { SELF_SIGNED } from '../egress-guard/self-signed.js';
import { egressApp } from './support/egress-app.js';
import { messages, modelService } from './support/model-service.js';
import { json, startUpstream, type Upstream } from './support/upstream.js';

const PROCESS_DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const question = { question: 'q' };

/** Invokes once, in an application of its own. */
async function invokeOnce(options: Omit<EgressServiceOptions, 'egressSensitive'>): Promise<unknown> {
  const { app, client } = await egressApp(modelService, options);
  try {
    return await client.invoke(messages, question);
  } finally {
    await app.close();
  }
}

describe('a service with connections of its own', () => {
  let upstream: Upstream;
  let secure: Server;
  let secureUrl: string;

  beforeAll(async () => {
    upstream = await startUpstream(json({ text: 'an answer' }));
    secure = createServer(SELF_SIGNED, (_request, response) => void response.end('{"text":"in private"}'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    secureUrl = `https://localhost:${(secure.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await upstream.close();
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });

  it('sends, streams and closes them with the application', async () => {
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, agent: { connections: 2 } });
    const before = upstream.connections.opened;
    await Promise.all(Array.from({ length: 8 }, () => client.invoke(messages, question)));
    let bytes = 0;
    for await (const chunk of client.stream(messages, question)) bytes += chunk.byteLength;
    expect(bytes).toBeGreaterThan(0);
    expect(upstream.connections.opened - before).toBe(2);
    await app.close();
    await eventually(() => expect(upstream.connections.open).toBe(0));
  });

  it("leaves the process's own dispatcher alone", async () => {
    const before: unknown = Reflect.get(globalThis, PROCESS_DISPATCHER);
    await invokeOnce({ baseUrl: upstream.origin, agent: true });
    expect(Reflect.get(globalThis, PROCESS_DISPATCHER)).toBe(before);
  });

  it('trusts the certificates that it is given, and without them nobody who vouches for himself', async () => {
    await expect(invokeOnce({ baseUrl: secureUrl, agent: { ca: SELF_SIGNED.cert } })).resolves.toMatchObject({
      text: 'in private',
    });
    for (const agent of [true, false]) {
      await expect(invokeOnce({ baseUrl: secureUrl, agent })).rejects.toMatchObject({
        code: 'egress_unavailable',
        retryable: false,
      });
    }
  });

  it('connects to no address of this machine where only public ones are allowed', async () => {
    const before = upstream.connections.opened;
    const options = { baseUrl: `http://localhost:${upstream.port}`, agent: true };
    await expect(invokeOnce({ ...options, addresses: 'public' })).rejects.toMatchObject({
      code: 'egress_address_refused',
      retryable: false,
    });
    expect(upstream.connections.opened).toBe(before);
    await expect(invokeOnce({ ...options, addresses: 'any' })).resolves.toMatchObject({ text: 'an answer' });
  });

  it.each(['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'https://[::ffff:a00:1]'])(
    'cannot be configured for %s where only public addresses are allowed',
    async (baseUrl) => {
      await expect(egressApp(modelService, { baseUrl, agent: true, addresses: 'public' })).rejects.toThrow(
        /egress_options_invalid\].*services\.model\.baseUrl` is an address that is not public/,
      );
    },
  );
});
