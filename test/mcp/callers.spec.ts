import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, Get, HttpCode, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Caller, Operation, type CallerContext } from 'nestjs-palette';
import { BearerGuard } from '../dispatch/notes-application.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServeOptions } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

@Controller('who')
@UseGuards(BearerGuard)
class WhoController {
  @Operation({ kind: 'query', description: 'Where does the call come from?' })
  @Get('where')
  where(@Caller() { remoteAddress }: CallerContext, @Ip() ip: string): unknown {
    return { remoteAddress, ip };
  }

  @Operation({ kind: 'query', description: 'Who is calling? Answers after a while.' })
  @Post('is/:id')
  @HttpCode(200)
  async is(@Caller() { headers }: CallerContext, @Param('id') id: string): Promise<unknown> {
    // The first to come is the last to be answered, so that calls overlap.
    await new Promise((resolve) => setTimeout(resolve, 5 * (20 - Number(id))));
    return { id, authorization: headers['authorization'] };
  }
}

const READER = { authorization: 'Bearer reader' };
const BEHIND_PROXY = { ...READER, 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
const WHO = { controllers: [WhoController] };

describe.each(PLATFORMS)('who calls over MCP, on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    const whereIs = async (headers: Record<string, string>, options: ServeOptions) => {
      const { url } = await serve(platform, WHO, options);
      const { call } = await connect(kind, url, headers);
      return (await call('who__where')).structured;
    };

    it('calls from the address that a trusted proxy tells', async () => {
      const told = { ...READER, 'x-forwarded-for': '203.0.113.9' };
      const found = await whereIs(told, { trustProxy: true });
      expect(found).toEqual({ remoteAddress: '203.0.113.9', ip: '203.0.113.9' });
    });

    it('calls from the last address that nobody trusts, of those that are told', async () => {
      const found = await whereIs(BEHIND_PROXY, { trustProxy: 'loopback' });
      expect(found).toEqual({ remoteAddress: '203.0.113.9', ip: '203.0.113.9' });
    });

    it('calls from where the connection does where no proxy is trusted', async () => {
      const found = await whereIs(BEHIND_PROXY, {});
      expect(found).toEqual({ remoteAddress: '127.0.0.1', ip: '127.0.0.1' });
    });

    it('is told apart in one session, with twenty calls at once', async () => {
      const { url } = await serve(platform, WHO);
      const token = new AsyncLocalStorage<string>();
      const headers = {
        get authorization() {
          return token.getStore() ?? 'Bearer reader';
        },
      };
      const { call } = await connect(kind, url, headers);
      const asked = Array.from({ length: 20 }, (_, index) => ({
        id: String(index),
        authorization: index % 2 === 0 ? 'Bearer reader' : 'Bearer admin',
      }));
      const answers = await Promise.all(
        asked.map(({ id, authorization }) => token.run(authorization, () => call('who__is', { id }))),
      );
      expect(answers.map(({ structured }) => structured)).toEqual(asked);
    });

    it('sees in one session what each token is shown', async () => {
      const visible = ({ name }: { name: string }, { headers }: CallerContext): boolean =>
        name === 'who.where' || headers['authorization'] === 'Bearer admin';
      const { url } = await serve(platform, WHO, { palette: { visible } });
      const headers: Record<string, string> = { ...READER };
      const { tools } = await connect(kind, url, headers);
      const listed = async (who: string) => {
        headers['authorization'] = `Bearer ${who}`;
        return (await tools()).map(({ name }) => name);
      };
      expect(await listed('reader')).toEqual(['who__where']);
      expect(await listed('admin')).toEqual(['who__where', 'who__is']);
      expect(await listed('reader')).toEqual(['who__where']);
    });
  });
});
