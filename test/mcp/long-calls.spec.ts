import { Controller, Get, Param } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Caller, Operation, type CallerContext } from 'nestjs-palette';
import { catchError } from '../support/catch-error.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

const seen = { begun: [] as string[], aborted: [] as string[] };

@Controller('slow')
class SlowController {
  @Operation({ description: 'Waits until its caller goes away.' })
  @Get('wait/:id')
  async wait(@Caller() { signal }: CallerContext, @Param('id') id: string): Promise<unknown> {
    seen.begun.push(id);
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    seen.aborted.push(id);
    return { late: true };
  }

  @Operation({ description: 'Takes a moment.' })
  @Get('moment')
  async moment(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return { done: true };
  }
}

const SLOW = { controllers: [SlowController] };

describe.each(PLATFORMS)('a call that takes long, over MCP on %s', (platform) => {
  beforeEach(() => {
    seen.begun.length = 0;
    seen.aborted.length = 0;
  });
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it('is cancelled for its handler when its client cancels it, and no other call is', async () => {
      const { url } = await serve(platform, SLOW);
      const [first, second] = [await connect(kind, url), await connect(kind, url)];
      const cancelling = new AbortController();
      const cancelled = catchError(() => first.call('slow__wait', { id: 'first' }, { signal: cancelling.signal }));
      // The same number of messages on both sides, and so the same id.
      const other = catchError(() => second.call('slow__wait', { id: 'second' }));
      await eventually(() => expect([...seen.begun].sort()).toEqual(['first', 'second']));
      cancelling.abort();
      await cancelled;
      await eventually(() => expect(seen.aborted).toEqual(['first']));
      expect(await first.call('slow__moment')).toMatchObject({ structured: { done: true } });
      expect(seen.aborted).toEqual(['first']);
      await second.close();
      await other;
      await eventually(() => expect(seen.aborted).toEqual(['first', 'second']));
    });

    it('is cancelled for its handler when its client is gone', async () => {
      const { url } = await serve(platform, SLOW);
      const client = await connect(kind, url);
      const call = catchError(() => client.call('slow__wait', { id: 'gone' }));
      await eventually(() => expect(seen.begun).toEqual(['gone']));
      await client.close();
      await call;
      await eventually(() => expect(seen.aborted).toEqual(['gone']));
    });

    it('tells of its progress while it runs, to a client that asks', async () => {
      const { url } = await serve(platform, SLOW, { mcp: { progressIntervalMs: 40 } });
      const { call } = await connect(kind, url);
      const told: number[] = [];
      const outcome = await call('slow__moment', {}, { onprogress: ({ progress }) => told.push(progress) });
      expect(outcome).toMatchObject({ structured: { done: true } });
      expect(told.length).toBeGreaterThan(1);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      const silent = await call('slow__moment');
      expect(silent).toMatchObject({ structured: { done: true } });
    });

    it('is told to have taken too long, and not by whose fault', async () => {
      const { url } = await serve(platform, SLOW, { dispatch: { timeoutMs: 100 } });
      const { call } = await connect(kind, url);
      const outcome = await call('slow__wait', { id: 'late' });
      expect(JSON.parse(outcome.text)).toEqual({
        code: 'deadline_exceeded',
        message: 'The tool took longer than it may.',
      });
    });
  });
});
