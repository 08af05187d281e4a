import { Controller, Get } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { serve, SERVER_INFO } from '../mcp/support/applications.js';
import { ERAS, messageIn, send, type RawAnswer } from '../mcp/support/raw.js';
import { opening, toolCall, withHeaders, type RawRequest } from '../mcp/support/tool-calls.js';
import { bootApplication, closeApplications, listen, PLATFORMS } from '../support/application.js';

// The check of Origin and Host was on one way in, and not on the others. https://github.com/tobi/qmd/pull/885

let calls = 0;

@Controller('counter')
class CounterController {
  @Operation({ name: 'counter.count' }) @Get() count(): unknown {
    return { calls: ++calls };
  }
  @Operation({ name: 'counter.again' }) @Get('again') again(): unknown {
    return { calls: ++calls };
  }
}

const COUNTER = { controllers: [CounterController] };
const PAGE = 'https://app.example.com';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const AUTHORIZATION = {
  resource: 'https://api.example.com/mcp',
  authorizationServers: ['https://auth.example.com'],
};

const told = (answer: RawAnswer) => ({
  status: answer.status,
  code: answer.text === '' ? undefined : (messageIn(answer).error?.data as { code?: string } | undefined)?.code,
});

/** What a page of another site can do to a request, and what comes of it. */
const FOREIGN = [
  ['from a page of another site', { origin: 'https://evil.example' }, { status: 403, code: 'mcp_origin_refused' }],
  ['under a name of another site', { host: 'evil.example' }, { status: 403, code: 'mcp_host_refused' }],
  ['as plain text', { 'content-type': 'text/plain' }, { status: 415, code: undefined }],
  ['as text that says JSON', { 'content-type': 'text/plain; application/json' }, { status: 415, code: undefined }],
] as const;

describe.each(PLATFORMS)('what another site may do, on %s', (platform) => {
  beforeEach(() => void (calls = 0));
  afterEach(closeApplications);

  describe.each(ERAS)('in the era of %s', (era) => {
    const call = toolCall(era, 'counter__count');

    it.each(FOREIGN)('is nothing by the opening message or a call, %s', async (_how, headers, refused) => {
      const { base } = await serve(platform, COUNTER);
      for (const request of [opening(era), call]) {
        expect(told(await send(base, withHeaders(request, headers)))).toEqual(refused);
        expect((await send(base, request)).status).toBe(200);
      }
      expect(calls).toBe(1);
    });

    it.each(FOREIGN)('is nothing at the endpoint of a second palette, %s', async (_how, headers, refused) => {
      const base = await serveTwo();
      const other = toolCall(era, 'counter__again');
      const at = async (path: string, request: RawRequest) => told(await send(base, { path, ...request }));
      expect(await at('/one/mcp', withHeaders(call, headers))).toEqual(refused);
      expect(await at('/two/mcp', withHeaders(other, headers))).toEqual(refused);
      expect(calls).toBe(0);
      expect(await at('/one/mcp', call)).toEqual({ status: 200, code: undefined });
      expect(await at('/two/mcp', other)).toEqual({ status: 200, code: undefined });
      expect(calls).toBe(2);
    });

    it('is for each endpoint to say by itself', async () => {
      const base = await serveTwo({ allowedOrigins: [PAGE], allowedHosts: ['api.example.com'] });
      const from = (request: RawRequest) => withHeaders(request, { origin: PAGE, host: 'api.example.com' });
      const first = await send(base, { path: '/one/mcp', ...from(call) });
      const second = await send(base, { path: '/two/mcp', ...from(toolCall(era, 'counter__again')) });
      expect(told(first)).toEqual({ status: 403, code: 'mcp_host_refused' });
      expect(told(second)).toEqual({ status: 200, code: undefined });
    });
  });

  it.each(['OPTIONS', 'PATCH', 'HEAD', 'TRACE'])('is nothing by %s', async (method) => {
    const { base } = await serve(platform, COUNTER);
    for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }] as Record<string, string>[]) {
      expect((await send(base, { method, headers })).status).toBe(403);
    }
    expect(calls).toBe(0);
  });

  it.each(['OPTIONS', 'PATCH', 'HEAD'])('is as little as anybody may by %s', async (method) => {
    const { base } = await serve(platform, COUNTER);
    expect((await send(base, { method })).status).toBe(405);
    expect(calls).toBe(0);
  });

  it.each([{ origin: 'https://evil.example' }, { host: 'evil.example' }, {}] as Record<string, string>[])(
    'is to read where tokens come from, which is public: %j',
    async (headers) => {
      const { base } = await serve(platform, COUNTER, { mcp: { authorization: AUTHORIZATION } });
      const answer = await send(base, { method: 'GET', path: METADATA, headers });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
      expect(JSON.parse(answer.text)).toMatchObject({ resource: AUTHORIZATION.resource });
      expect((await send(base, { method: 'POST', path: METADATA, headers })).status).toBe(404);
    },
  );

  /** Two palettes, each at an endpoint of its own. @param second what the other endpoint allows */
  async function serveTwo(second: { allowedOrigins?: string[]; allowedHosts?: string[] } = {}): Promise<string> {
    const palettes = [
      { name: 'one', include: ['counter.count'] },
      { name: 'two', include: ['counter.again'] },
    ];
    const app = await bootApplication(platform, {
      ...COUNTER,
      imports: [
        OperationsModule.forRoot({}),
        OperationsModule.forFeature({ palettes }),
        McpModule.forRoot({ path: 'one/mcp', palette: 'one', serverInfo: SERVER_INFO }),
        McpModule.forRootAsync({
          path: 'two/mcp',
          useFactory: () => ({ palette: 'two', serverInfo: SERVER_INFO, ...second }),
        }),
      ],
    });
    return listen(app);
  }
});
