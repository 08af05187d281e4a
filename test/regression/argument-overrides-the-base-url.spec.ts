import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer } from '../../lib/egress/index.js';
import { confine } from '../../lib/egress/request/confine.js';
import { parseEgressBase, type EgressBase } from '../../lib/egress/request/egress-base.js';
import { egressApp, type EgressApp } from '../egress/support/egress-app.js';
import { modelService, readFile } from '../egress/support/model-service.js';
import { json, startUpstream, type Upstream } from '../egress/support/upstream.js';

/**
 * A client with a base URL let an absolute or scheme-relative path from a user replace it, with the credential attached.
 * @see https://github.com/axios/axios/issues/6463
 */
describe('an argument that would override the base URL', () => {
  let upstream: Upstream;
  let trap: Upstream;
  let context: EgressApp<typeof modelService>;

  beforeAll(async () => {
    trap = await startUpstream(json({ id: 'stolen' }));
    upstream = await startUpstream(json({ id: 'ok' }));
    context = await egressApp(modelService, { baseUrl: `${upstream.origin}/v1`, credentials: bearer(() => 'secret') });
  });
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
    await trap.close();
  });

  function hostile(): string[] {
    const host = `127.0.0.1:${trap.port}`;
    return [
      `http://${host}/x`,
      `//${host}/x`,
      `\\\\${host}\\x`,
      '../admin',
      `@${host}/`,
      `:80@${host}`,
      `http:${host}`,
      `..//${host}`,
      `%2e%2e/admin`,
      `a/../../../admin`,
    ];
  }

  it('is sent to the base or not at all; the other host sees no connection', async () => {
    for (const id of hostile()) {
      const before = upstream.requests.length;
      const outcome = await context.client.invoke(readFile, { id }).then(
        () => 'sent',
        (error: { code: string }) => error.code,
      );
      if (outcome !== 'sent') {
        expect(outcome).toBe('egress_path_parameter_invalid');
        expect(upstream.requests).toHaveLength(before);
        continue;
      }
      const url = upstream.requests.at(-1)?.url ?? '';
      expect(url).toBe(`/v1/v1/files/${encodeURIComponent(id)}`);
    }
    expect(trap.connections.opened).toBe(0);
  });

  it('is refused before anything is looked up where the address itself is given', () => {
    const base = (parseEgressBase('https://api.example.com/v1/') as { base: EgressBase }).base;
    const call = { service: 'api', operation: 'fetch' };
    for (const path of [
      ...hostile(),
      'http://evil.test/x',
      '//evil.test/x',
      'https:evil',
      ':80@evil.test',
      '@evil.test/',
    ]) {
      expect(() => confine(base, path, call)).toThrow(/egress_outside_base_url|egress_url_malformed/);
      expect(() => confine(base, `https://api.example.com${path}`, call)).toThrow(
        /egress_outside_base_url|egress_url_malformed/,
      );
    }
    expect(confine(base, 'https://api.example.com/v1/x', call).href).toBe('https://api.example.com/v1/x');
  });
});
