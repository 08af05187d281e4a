import { afterEach, describe, expect, it } from '@jest/globals';
import { json, startUpstream, type Upstream } from '../egress/support/upstream.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

describe('the clients that guarantees are tested with', () => {
  let server: Upstream;
  afterEach(async () => {
    await closeClients();
    await server.close();
  });

  async function serveRevision(protocolVersion: string): Promise<string> {
    const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } };
    server = await startUpstream((response, request) => {
      if (request.method !== 'POST') return json({}, 405)(response, request);
      const { id } = JSON.parse(request.body) as { id?: number };
      return json({ jsonrpc: '2.0', id, result }, id === undefined ? 202 : 200)(response, request);
    });
    return `${server.origin}/mcp`;
  }

  it.each(CLIENTS)('do not take another revision for their own: %s', async (kind) => {
    const url = await serveRevision('2025-06-18');
    await expect(connect(kind, url)).rejects.toThrow(
      kind.startsWith('2026') ? /2026-07-28/ : `"${kind}" speaks 2025-06-18.`,
    );
  });

  it.each(CLIENTS.filter((kind) => kind.startsWith('2025')))('take their own: %s', async (kind) => {
    await expect(connect(kind, await serveRevision('2025-11-25'))).resolves.toBeDefined();
  });
});
