import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EgressFetch } from '../../../lib/egress/index.js';
import { json, startUpstream, type Upstream } from '../support/upstream.js';
import { beginEvents, CUT_ANSWERS } from './support/cut-answers.js';
import { startMcpUpstream, type McpUpstream } from './support/mcp-upstream.js';
import { counted, SECRET, withSdkClient } from './support/sdk-app.js';

interface Connected {
  greet(): Promise<unknown>;
  readonly errors: string[];
  close(): Promise<void>;
}

const info = { name: 'test', version: '1.0.0' };
/** How long the clients wait for an answer: theirs is a request that a broken stream may leave open. */
const options = { timeout: 1_500 };

async function connect1(url: URL, fetch: EgressFetch): Promise<Connected> {
  const client = new Client1(info);
  const errors: string[] = [];
  client.onerror = (error) => errors.push(String(error));
  await client.connect(new Transport1(url, { fetch }) as Transport);
  return { errors, greet: () => client.callTool({ name: 'greet' }, undefined, options), close: () => client.close() };
}

async function connect2(url: URL, fetch: EgressFetch): Promise<Connected> {
  const client = new Client2(info);
  const errors: string[] = [];
  client.onerror = (error) => errors.push(String(error));
  await client.connect(new Transport2(url, { fetch }));
  return { errors, greet: () => client.callTool({ name: 'greet' }, options), close: () => client.close() };
}

describe.each([
  ['@modelcontextprotocol/client', connect2],
  ['@modelcontextprotocol/sdk', connect1],
])('%s', (_, connect) => {
  let upstream: McpUpstream;
  let trap: Upstream;

  beforeAll(async () => {
    upstream = await startMcpUpstream();
    trap = await startUpstream(json({}));
  });
  beforeEach(() => {
    upstream.onToolCall = undefined;
    upstream.authorizations.length = 0;
  });
  afterAll(async () => {
    await upstream.close();
    await trap.close();
  });

  it('calls a tool, with the credential of the service', async () => {
    await withSdkClient(`${upstream.origin}/api`, {}, async (client) => {
      const mcp = await connect(new URL(`${client.baseUrl}/mcp`), client.fetch);
      await expect(mcp.greet()).resolves.toMatchObject({ content: [{ text: 'hello' }] });
      await mcp.close();
    });
    expect(new Set(upstream.authorizations)).toEqual(new Set([`Bearer ${SECRET}`]));
  });

  it.each(CUT_ANSWERS)('fails where $name', async ({ options: service, code, goOn }) => {
    upstream.onToolCall = (response) => {
      beginEvents(response, ': working\n\n');
      goOn(response);
    };
    await withSdkClient(`${upstream.origin}/api`, service, async (client) => {
      const mcp = await connect(new URL(`${client.baseUrl}/mcp`), client.fetch);
      await expect(mcp.greet()).rejects.toThrow();
      expect(mcp.errors.join('\n')).toContain(`[${code}]`);
      await mcp.close();
    });
  });

  it('sends nothing elsewhere, at the cost of one call', async () => {
    await withSdkClient(`${upstream.origin}/api`, {}, async (client) => {
      for (const url of [`${trap.origin}/api/mcp`, `${upstream.origin}/mcp`]) {
        const counter = counted(client.fetch);
        await expect(connect(new URL(url), counter.fetch)).rejects.toThrow('egress_outside_base_url');
        expect(counter.calls).toBe(1);
      }
      const mcp = await connect(new URL(`${client.baseUrl}/mcp`), client.fetch);
      upstream.onToolCall = (response) => response.writeHead(307, { location: `${trap.origin}/api/mcp` }).end();
      await expect(mcp.greet()).rejects.toThrow();
      await mcp.close();
    });
    expect(trap.connections.opened).toBe(0);
  });
});
