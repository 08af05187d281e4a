import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { headerCredential } from '../../lib/egress/index.js';
import { egressApp, type EgressApp } from './support/egress-app.js';
import { messages, modelService, readFile } from './support/model-service.js';
import { json, startUpstream, type Upstream } from './support/upstream.js';

describe('redirects within the base URL', () => {
  let upstream: Upstream;
  let trap: Upstream;
  let context: EgressApp<typeof modelService>;
  const question = { question: 'q' };

  beforeAll(async () => {
    trap = await startUpstream(json({ text: 'stolen' }));
    upstream = await startUpstream();
    context = await egressApp(modelService, {
      baseUrl: `${upstream.origin}/api`,
      redirects: 'within-base',
      credentials: headerCredential('x-api-key', () => 'secret'),
    });
  });
  beforeEach(() => void (upstream.requests.length = 0));
  afterAll(async () => {
    await context.app.close();
    await upstream.close();
    await trap.close();
  });

  /** The first request is redirected, and every other one is answered. */
  function redirectOnce(status: number, location: string): void {
    let count = 0;
    upstream.answer((response, request) => {
      if (count++ === 0) response.writeHead(status, { location }).end('moved');
      else json({ text: 'followed', id: 'followed' })(response, request);
    });
  }

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', '{"question":"q"}'],
    [308, 'POST', '{"question":"q"}'],
  ])('are followed: %i goes on as %s, with our credential', async (status, method, body) => {
    redirectOnce(status, '/api/v2/messages#there');
    await expect(context.client.invoke(messages, question)).resolves.toMatchObject({ text: 'followed' });
    const [, second] = upstream.requests;
    expect(second).toMatchObject({ method, body, url: '/api/v2/messages', headers: { 'x-api-key': 'secret' } });
    expect(second?.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
  });

  it('are followed by stream and fetch too, and a GET stays one', async () => {
    redirectOnce(302, `${upstream.origin}/api/there`);
    await expect(context.client.invoke(readFile, { id: '1' })).resolves.toMatchObject({ id: 'followed' });
    redirectOnce(307, '/api/there');
    const stream = context.client.stream(messages, question);
    await expect(stream.next()).resolves.toMatchObject({ done: false });
    await stream.return();
    redirectOnce(307, '/api/there');
    const response = await context.client.fetch(`${context.client.baseUrl}/here`, { method: 'POST', body: 'x' });
    expect(response.url).toBe(`${upstream.origin}/api/there`);
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'POST', body: 'x' });
    await response.text();
  });

  it.each<[string, (origins: { own: string; other: string }) => string]>([
    ['another port', ({ other }) => `${other}/api/x`],
    ['another host without a scheme', ({ other }) => `//${other.slice(7)}/api/x`],
    ['another host behind backslashes', ({ other }) => `\\\\${other.slice(7)}\\x`],
    ['another host behind a slash and a backslash', ({ other }) => `/\\${other.slice(7)}/x`],
    ['another scheme', ({ own }) => own.replace('http:', 'ftp:')],
    ['another path', ({ own }) => `${own}/admin`],
    ['another path of the origin', () => '/admin'],
    ['a path above', () => '/api/../admin'],
    ['a path above, encoded', () => '/api/%2e%2e/admin'],
    ['a user of another host', ({ own, other }) => `${own}@${other.slice(7)}/api/x`],
    ['what is no address', () => 'http://'],
    ['data', () => 'data:,x'],
    ['a relative path', () => '../admin'],
    ['nothing', () => ''],
  ])('are refused where they lead to %s: nothing is sent there', async (_, location) => {
    for (const status of [302, 307]) {
      redirectOnce(status, location({ own: upstream.origin, other: trap.origin }));
      await expect(context.client.invoke(messages, question)).rejects.toMatchObject({
        code: 'egress_redirect_refused',
        upstreamStatus: status,
      });
    }
    expect(upstream.requests).toHaveLength(2);
    expect(trap.connections.opened).toBe(0);
  });

  it('are refused without a location, and where they are no redirects', async () => {
    for (const status of [302, 300, 304, 305]) {
      upstream.answer((response) => response.writeHead(status, status === 302 ? {} : { location: '/api/x' }).end());
      await expect(context.client.invoke(readFile, { id: '1' })).rejects.toMatchObject({
        code: 'egress_redirect_refused',
      });
    }
    expect(upstream.requests).toHaveLength(4);
  });

  it('end after five hops', async () => {
    upstream.answer((response) => response.writeHead(302, { location: '/api/again' }).end());
    await expect(context.client.invoke(readFile, { id: '1' })).rejects.toMatchObject({
      code: 'egress_redirect_refused',
    });
    expect(upstream.requests).toHaveLength(6);
  });

  it('that need a body a second time are refused where there is none', async () => {
    redirectOnce(307, '/api/there');
    const init = { method: 'POST', body: new Blob(['once']).stream(), duplex: 'half' } as const;
    const response = await context.client.fetch(`${context.client.baseUrl}/x`, init);
    expect(response.headers.get('x-egress-error')).toBe('egress_redirect_refused');
  });

  it('reach a caller that asks for them as they are, and are refused for one that wants none', async () => {
    redirectOnce(302, `${trap.origin}/x`);
    const response = await context.client.fetch(`${context.client.baseUrl}/x`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
      302,
      `${trap.origin}/x`,
      'moved',
    ]);
    redirectOnce(302, '/api/there');
    const refused = await context.client.fetch(`${context.client.baseUrl}/x`, { redirect: 'error' });
    expect(refused.headers.get('x-egress-error')).toBe('egress_redirect_refused');
    expect(trap.connections.opened).toBe(0);
  });
});
