import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, headerCredential } from '../../lib/egress/index.js';
import { egressApp } from '../egress/support/egress-app.js';
import { messages, modelService } from '../egress/support/model-service.js';
import { json, startUpstream, type Upstream } from '../egress/support/upstream.js';

/**
 * HTTP clients follow a redirect to another origin and drop `authorization`, but not `x-api-key`, and on 307 they send the
 * body again. @see https://github.com/nodejs/undici/security/advisories/GHSA-q768-x9m6-m9qp
 */
describe('credentials and a redirect to another origin', () => {
  let upstream: Upstream;
  let trap: Upstream;

  beforeAll(async () => {
    trap = await startUpstream(json({ text: 'stolen' }));
    upstream = await startUpstream();
  });
  afterAll(async () => {
    await upstream.close();
    await trap.close();
  });

  it.each([301, 302, 303, 307, 308])('does not follow %i: the other origin sees no connection', async (status) => {
    upstream.answer((response) => response.writeHead(status, { location: `${trap.origin}/v1/messages` }).end());
    for (const credentials of [headerCredential('x-api-key', () => 'secret'), bearer(() => 'secret')]) {
      const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin, credentials });
      const refused = { code: 'egress_redirect_refused', upstreamStatus: status };
      await expect(client.invoke(messages, { question: 'q' })).rejects.toMatchObject(refused);
      await expect(client.stream(messages, { question: 'q' }).next()).rejects.toMatchObject(refused);
      await expect(client.invoke(messages, { question: 'q' })).rejects.not.toThrow(String(trap.port));
      await app.close();
    }
    expect(trap.connections.opened).toBe(0);
    expect(upstream.requests.at(-1)?.headers).toHaveProperty('authorization');
  });

  it('does not follow a redirect within the origin either', async () => {
    upstream.answer((response, { url }) => {
      if (url === '/v1/messages') response.writeHead(302, { location: '/v1/other' }).end();
      else json({ text: 'followed' })(response, undefined as never);
    });
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin });
    await expect(client.invoke(messages, { question: 'q' })).rejects.toMatchObject({ code: 'egress_redirect_refused' });
    expect(upstream.requests.some(({ url }) => url === '/v1/other')).toBe(false);
    await app.close();
  });

  it('takes an answer that is none', async () => {
    upstream.answer(json({ text: 'ok' }));
    const { app, client } = await egressApp(modelService, { baseUrl: upstream.origin });
    await expect(client.invoke(messages, { question: 'q' })).resolves.toMatchObject({ text: 'ok' });
    await app.close();
  });
});
