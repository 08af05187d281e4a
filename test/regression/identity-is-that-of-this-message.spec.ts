import { Controller, Get, Headers } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

// Headers of the caller went along all or none: without them guards refuse, and with all of them the framing of the outer
// request breaks the inner one. https://github.com/tadata-org/fastapi_mcp/issues/82

@Controller('echo')
class EchoController {
  @Operation() @Get() headers(@Headers() headers: Record<string, string>): Record<string, string> {
    return headers;
  }
}

const CALLER = {
  authorization: 'Bearer T',
  'x-api-key': 'K',
  'x-tenant': '42',
  host: 'outer.example',
  'content-length': '12',
  'transfer-encoding': 'chunked',
  connection: 'upgrade',
  upgrade: 'websocket',
  cookie: 'session=1',
  te: 'trailers',
  'sec-fetch-site': 'same-origin',
  'accept-encoding': 'gzip',
};

describe.each(PLATFORMS)('the headers of a tool call on %s', (platform) => {
  afterEach(closeApplications);

  it('are the authorization alone, unless more is listed', async () => {
    const { call } = await bootDispatching(platform, { controllers: [EchoController] });
    const { content } = await call('echo__headers', {}, { headers: CALLER });
    expect(content).toEqual({ host: 'localhost', accept: 'application/json', authorization: 'Bearer T' });
  });

  it('are those that are listed, in any spelling', async () => {
    const dispatch = { forwardHeaders: ['X-Api-Key', 'x-tenant', 'Cookie'] };
    const { call } = await bootDispatching(platform, { controllers: [EchoController] }, { dispatch });
    const { content } = await call('echo__headers', {}, { headers: CALLER });
    expect(content).toEqual({
      host: 'localhost',
      accept: 'application/json',
      authorization: 'Bearer T',
      'x-api-key': 'K',
      'x-tenant': '42',
      cookie: 'session=1',
    });
  });

  it('are those of this message, not of the first', async () => {
    const { call } = await bootDispatching(platform, { controllers: [EchoController] });
    const tokens = ['Bearer one', 'Bearer two'];
    const results = await Promise.all(
      tokens.map((token) => call('echo__headers', {}, { headers: { authorization: token } })),
    );
    expect(results.map(({ content }) => (content as { authorization: string }).authorization)).toEqual(tokens);
  });
});
