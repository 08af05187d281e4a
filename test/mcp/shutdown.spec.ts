import { Controller, Get, HttpCode, Injectable, Post, type BeforeApplicationShutdown } from '@nestjs/common';
import { IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApprovalsModule,
  Caller,
  ListQueryBody,
  Operation,
  publicApprovals,
  QueryPolicy,
  type CallerContext,
  type ListQuery,
} from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { initialize, post } from './support/asked-client.js';
import { serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';
import { ERAS, messageIn, rawRequest, send } from './support/raw.js';
import { recordingLogger } from './support/recording-logger.js';
import { as, OrdersController, principal } from './support/refunds.js';
import { opening, toolCall, withHeaders } from './support/tool-calls.js';
import { REFUND, told } from './support/wire-refunds.js';

const seen = { begun: 0, aborted: 0, draining: false, isOver: false };
let letAnswer: () => void = () => undefined;
let letClose: () => void = () => undefined;

@QueryPolicy<NoteRead>({ filterable: ['title'], sortable: [], aggregatable: [] })
class NoteRead {
  @IsString() title!: string;
}

@Controller('notes')
class NotesController {
  @Operation({ description: 'Waits until the test lets it go on, or its caller is gone.' })
  @Get('wait')
  async wait(@Caller() { signal }: CallerContext): Promise<unknown> {
    seen.begun += 1;
    signal?.addEventListener('abort', () => (seen.aborted += 1));
    await new Promise<void>((resolve) => (letAnswer = bothOf(letAnswer, resolve)));
    return { waited: true };
  }
  @Operation({ kind: 'query' })
  @Post()
  @HttpCode(200)
  list(@ListQueryBody(NoteRead) _query: ListQuery<NoteRead>): NoteRead[] {
    return [{ title: 'a' }];
  }
}

function bothOf(first: () => void, then: () => void): () => void {
  return () => {
    first();
    then();
  };
}

/** Leaves the balancer time to see that the process goes, as Terminus does. */
@Injectable()
class Balancer implements BeforeApplicationShutdown {
  async beforeApplicationShutdown(): Promise<void> {
    seen.draining = true;
    if (!seen.isOver) await new Promise<void>((resolve) => (letClose = resolve));
  }
}

describe.each(PLATFORMS)('an application that closes, on %s', (platform) => {
  beforeEach(() => {
    Object.assign(seen, { begun: 0, aborted: 0, draining: false, isOver: false });
    letAnswer = () => undefined;
    letClose = () => undefined;
  });
  afterEach(async () => {
    seen.isOver = true;
    letAnswer();
    letClose();
    await closeClients();
    await closeApplications();
  });

  const CONTROLLERS = { controllers: [NotesController] };

  describe.each(ERAS)('answers in the era of %s', (era) => {
    it('the calls that are running, as any other request, and then is closed', async () => {
      const { app, base } = await serve(platform, CONTROLLERS);
      // A connection that is kept alive would keep any server that is closing.
      const alone = { connection: 'close' };
      const call = send(base, withHeaders(toolCall(era, 'notes__wait'), alone));
      const streamed = send(base, withHeaders(toolCall(era, 'notes__wait', {}, 'progress'), alone));
      const direct = send(base, { method: 'GET', path: '/notes/wait', headers: alone });
      await eventually(() => expect(seen.begun).toBe(3));
      let isClosed = false;
      const closed = app.close().then(() => (isClosed = true));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect([isClosed, seen.aborted]).toEqual([false, 0]);
      letAnswer();
      expect([(await direct).status, (await direct).text]).toEqual([200, '{"waited":true}']);
      for (const answer of [await call, await streamed]) {
        expect(answer.status).toBe(200);
        expect(answer.text).toContain('"structuredContent":{"waited":true}');
      }
      await closed;
      expect(seen.aborted).toBe(0);
    });

    it('whatever comes before its server closes', async () => {
      const { logger, records } = recordingLogger();
      const { app, base } = await serve(
        platform,
        { ...CONTROLLERS, providers: [Balancer] },
        { configure: (each) => each.useLogger({ ...logger, log: () => undefined, debug: () => undefined }) },
      );
      const closed = app.close();
      await eventually(() => expect(seen.draining).toBe(true));
      for (const request of [
        opening(era),
        rawRequest(era, 'tools/list'),
        rawRequest(era, 'prompts/list'),
        rawRequest(era, 'resources/list'),
        toolCall(era, 'notes__list'),
      ]) {
        const answer = await send(base, request);
        expect([answer.status, messageIn(answer).error]).toEqual([200, undefined]);
      }
      expect((await send(base, { method: 'GET' })).status).toBe(405);
      letClose();
      await closed;
      expect(records).toEqual([]);
    });
  });

  it.each(CLIENTS)('takes a client in before its server closes, and answers its call after that: %s', async (kind) => {
    const { app, url } = await serve(platform, { ...CONTROLLERS, providers: [Balancer] });
    const closed = app.close();
    await eventually(() => expect(seen.draining).toBe(true));
    const client = await connect(kind, url);
    expect(await client.tools()).toHaveLength(2);
    const call = client.call('notes__wait');
    await eventually(() => expect(seen.begun).toBe(1));
    letClose();
    await new Promise((resolve) => setTimeout(resolve, 50));
    letAnswer();
    expect(await call).toMatchObject({ isError: false, structured: { waited: true } });
    await closeClients();
    await closed;
    expect(seen.aborted).toBe(0);
  });

  it('is kept by no client that listens for what may change', async () => {
    const { app, base } = await serve(platform, CONTROLLERS);
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const listening = send(base, rawRequest('2026-07-28', 'subscriptions/listen', { notifications }));
    expect((await listening).text).toContain('"resultType":"complete"');
    await app.close();
  });

  it('asks a person until its server closes, and then says so to the call that waits', async () => {
    const options = { authorizer: publicApprovals(), principal, proposeUnasked: true, mayRequesterDecide: true };
    const imports = [ApprovalsModule.forRoot(options)];
    const { app, url } = await serve(platform, { controllers: [OrdersController], imports, providers: [Balancer] });
    const session = { ...as('ada'), 'mcp-session-id': await initialize(url, { elicitation: {} }, as('ada')) };
    const closed = app.close();
    await eventually(() => expect(seen.draining).toBe(true));
    const call = await post(url, { id: 2, method: 'tools/call', params: REFUND }, session);
    expect(await call.next()).toMatchObject({ method: 'elicitation/create' });
    letClose();
    expect(await call.next()).toMatchObject({ method: 'notifications/cancelled' });
    expect(told((await call.next())?.result)).toMatchObject({ code: 'approval_required' });
    await call.hangUp();
    await closed;
  });
});
