import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BootFaults } from '../../lib/common/index.js';
import { CallBudget } from '../../lib/egress/call/call-budget.js';
import { send } from '../../lib/egress/call/egress-pipeline.js';
import { bearer } from '../../lib/egress/index.js';
import type { EgressServiceSettings } from '../../lib/egress/gate/egress-settings.js';
import { readOptions } from '../../lib/egress/gate/read-options.js';
import type { EgressTransport } from '../../lib/egress/transport/egress-transport.js';
import { networkTransport } from '../../lib/egress/transport/network-transport.js';
import { ALLOWED, MALFORMED, OUTSIDE, VECTOR_BASE } from './support/address-vectors.js';
import { readFile } from './support/model-service.js';
import { startUpstream, type Upstream } from './support/upstream.js';

const call = { service: 'api', operation: 'readFile' };
const limits = { timeoutMs: 5_000, idleTimeoutMs: 5_000 };

function settingsOf(baseUrl: string, onSecret: () => void = () => undefined): EgressServiceSettings {
  const credentials = bearer(() => {
    onSecret();
    return 'secret';
  });
  const settings = readOptions({ services: { api: { baseUrl, credentials } } }, new BootFaults()).services.get('api');
  if (settings === undefined) throw new Error('no settings');
  return settings;
}

async function sent(settings: EgressServiceSettings, transport: EgressTransport, address: string): Promise<string> {
  const draft = {
    call,
    operation: readFile,
    method: 'GET',
    address,
    headers: new Headers(),
    body: undefined,
    wireArguments: {},
    isRepeatable: true,
    redirect: 'service' as const,
  };
  const budget = new CallBudget(call, limits, {});
  try {
    const { body } = await send(settings, transport, draft, budget);
    return String(body.response.status);
  } catch (error) {
    return String(Reflect.get(error as object, 'code'));
  } finally {
    budget.end();
  }
}

describe('the one path', () => {
  it('refuses every vector before the secret is asked for and before anything is sent', async () => {
    let secrets = 0;
    let requests = 0;
    const transport: EgressTransport = {
      send: async () => {
        requests++;
        return new Response(null, { status: 204 });
      },
    };
    const settings = settingsOf(VECTOR_BASE, () => secrets++);
    for (const address of [...OUTSIDE, ...MALFORMED]) {
      await expect(sent(settings, transport, address)).resolves.toMatch(/^egress_(outside_base_url|url_malformed)$/);
    }
    expect({ secrets, requests }).toEqual({ secrets: 0, requests: 0 });
    for (const address of ALLOWED) await expect(sent(settings, transport, address)).resolves.toBe('204');
    expect({ secrets, requests }).toEqual({ secrets: ALLOWED.length, requests: ALLOWED.length });
  });
});

describe('a trap beside the declared upstream', () => {
  let upstream: Upstream;
  let trap: Upstream;
  beforeAll(async () => {
    [upstream, trap] = await Promise.all([startUpstream(), startUpstream()]);
  });
  afterAll(() => Promise.all([upstream.close(), trap.close()]));

  it('counts no connection, however its address is spelled, and the upstream does', async () => {
    const { port } = trap;
    const own = `127.0.0.1:${upstream.port}`;
    const settings = settingsOf(`http://${own}/v1`);
    const vectors = [
      ...['127.0.0.1', 'localhost', 'localhost.', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]'].flatMap(
        (host) => [
          `http://${host}:${port}/v1/x`,
          `//${host}:${port}/v1/x`,
          `/\\${host}:${port}/v1/x`,
          `http:${host}:${port}/v1/x`,
          `http:\\\\${host}:${port}/v1/x`,
          `http://${own}@${host}:${port}/v1/x`,
          `http://user:password@${host}:${port}/v1/x`,
          `http://${host}\t:${port}/v1/x`,
          `http://${host}:${port}\\@${own}/v1/x`,
          `http://${own}\\@${host}:${port}/v1/x`,
          `http://${own}#@${host}:${port}/v1/x`,
          `http://${host}:${port}#@${own}/v1/x`,
        ],
      ),
    ];
    for (const address of vectors) {
      await expect(sent(settings, networkTransport(), address)).resolves.toMatch(
        /^egress_(outside_base_url|url_malformed)$/,
      );
    }
    expect(trap.connections.opened).toBe(0);
    expect(upstream.connections.opened).toBe(0);
    await expect(sent(settings, networkTransport(), `http://${own}/v1/x`)).resolves.toBe('200');
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/v1/x']);
  });
});
