import { Controller, Get } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServeOptions } from '../mcp/support/applications.js';
import { INITIALIZE, messageIn, modernBody, modernHeaders, send } from '../mcp/support/raw.js';

// A page of any site reached an MCP server on the machine of whoever looked at it, by its browser.
// https://github.com/seuros/action_mcp/issues/208 https://github.com/tobi/qmd/pull/885

let calls = 0;

@Controller('counter')
class CounterController {
  @Operation() @Get() count(): number {
    return ++calls;
  }
}

const CALL = modernBody('tools/call', { name: 'counter__count', arguments: {} });
const CALL_HEADERS = modernHeaders('tools/call', 'counter__count');
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe.each(PLATFORMS)('a request to the MCP endpoint on %s', (platform) => {
  afterEach(closeApplications);

  const start = async (mcp: ServeOptions['mcp'] = {}): Promise<string> => {
    calls = 0;
    return (await serve(platform, { controllers: [CounterController] }, { mcp })).base;
  };

  it.each([
    'https://evil.example',
    'http://evil.example:3000',
    'null',
    'http://localhost.evil.example',
    'not a url',
    '',
  ])('is refused with 403 where its origin is "%s", by every method', async (origin) => {
    const base = await start();
    for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
      const body = method === 'POST' ? { body: CALL, headers: { ...CALL_HEADERS, origin } } : { headers: { origin } };
      const answer = await send(base, { method, ...body });
      expect([method, answer.status]).toEqual([method, 403]);
      expect(messageIn(answer).error?.data).toEqual({ code: 'mcp_origin_refused' });
    }
    expect((await send(base, { body: INITIALIZE, headers: { ...JSON_HEADERS, origin } })).status).toBe(403);
    expect(calls).toBe(0);
  });

  it('is answered without an origin, and to a page of this machine', async () => {
    const base = await start();
    for (const origin of [{}, { origin: 'http://localhost:6274' }, { origin: 'http://127.0.0.1' }]) {
      expect((await send(base, { body: CALL, headers: { ...CALL_HEADERS, ...origin } })).status).toBe(200);
      expect((await send(base, { body: INITIALIZE, headers: { ...JSON_HEADERS, ...origin } })).status).toBe(200);
    }
    expect(calls).toBe(3);
  });

  it('is answered to the origins that are listed, and to no page else', async () => {
    const base = await start({ allowedOrigins: ['https://app.example.com'] });
    const from = async (origin: string) =>
      (await send(base, { body: CALL, headers: { ...CALL_HEADERS, origin } })).status;
    expect(await from('https://app.example.com')).toBe(200);
    for (const other of [
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://example.com',
      'http://localhost',
    ]) {
      expect([other, await from(other)]).toEqual([other, 403]);
    }
  });

  it.each(['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', ''])(
    'is refused with 403 where it calls this machine "%s", by every method',
    async (host) => {
      const base = await start();
      for (const method of ['POST', 'GET', 'DELETE']) {
        const body = method === 'POST' ? { body: CALL, headers: { ...CALL_HEADERS, host } } : { headers: { host } };
        const answer = await send(base, { method, ...body });
        expect([method, answer.status]).toEqual([method, 403]);
        expect(messageIn(answer).error?.data).toEqual({ code: 'mcp_host_refused' });
      }
      expect(calls).toBe(0);
    },
  );

  it('is answered under the names of this machine, and under those that are listed', async () => {
    const base = await start();
    const { port } = new URL(base);
    const under = async (to: string, host: string) =>
      (await send(to, { body: CALL, headers: { ...CALL_HEADERS, host } })).status;
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, '[::1]']) {
      expect([host, await under(base, host)]).toEqual([host, 200]);
    }
    await closeApplications();
    const listed = await start({ allowedHosts: ['api.example.com'] });
    expect(await under(listed, 'api.example.com')).toBe(200);
    expect(await under(listed, 'localhost')).toBe(403);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'is refused with 415 before anything is dispatched where its type is %s: a page can send it without being asked',
    async (type) => {
      const base = await start();
      const { 'content-type': _json, ...others } = CALL_HEADERS;
      const headers = { ...others, ...(type !== undefined && { 'content-type': type }) };
      expect((await send(base, { body: CALL, headers })).status).toBe(415);
      expect(calls).toBe(0);
    },
  );

  it('is answered with 405 where the method is not POST', async () => {
    const base = await start();
    for (const method of ['GET', 'DELETE']) expect((await send(base, { method })).status).toBe(405);
  });
});
