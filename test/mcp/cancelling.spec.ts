import { Controller, Get, type ModuleMetadata } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalsModule, Caller, Operation, publicApprovals, type CallerContext } from 'nestjs-palette';
import { Agent, fetch } from 'undici';
import { catchError } from '../support/catch-error.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { serve } from './support/applications.js';
import { initialize, post, type OpenPost } from './support/asked-client.js';
import { as } from './support/refunds.js';
import { ERAS } from './support/raw.js';
import { toolCall } from './support/tool-calls.js';

const seen = { begun: [] as unknown[], aborted: [] as unknown[], looked: 0 };
let letSee: () => void = () => undefined;

@Controller('slow')
class SlowController {
  @Operation({ description: 'Waits until its caller goes away.' })
  @Get('wait')
  async wait(@Caller() { signal, headers }: CallerContext): Promise<unknown> {
    const who = headers['authorization'] ?? headers['cookie'] ?? 'nobody';
    seen.begun.push(who);
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    seen.aborted.push(who);
    return {};
  }
}

const SLOW = { controllers: [SlowController] };
const CALL = { method: 'tools/call', params: { name: 'slow__wait', arguments: {} } };

/** Whoever `Bearer ada:1` and `Bearer ada:2` are: the same. */
function principal({ headers }: CallerContext) {
  const [, subject] = /^Bearer (\w+)/.exec(headers['authorization'] ?? '') ?? [];
  return subject === undefined ? undefined : { subject };
}

const APPROVALS: ModuleMetadata = {
  ...SLOW,
  imports: [ApprovalsModule.forRoot({ authorizer: publicApprovals(), principal })],
};

/** What a caller sees is told when the test lets it be. */
const SLOWLY_SEEN = {
  palette: {
    visible: async (): Promise<boolean> => {
      seen.looked += 1;
      await new Promise<void>((resolve) => (letSee = resolve));
      return true;
    },
  },
};

describe.each(PLATFORMS)('a call that is cancelled by another message, on %s', (platform) => {
  const open: Promise<OpenPost>[] = [];

  beforeEach(() => void Object.assign(seen, { begun: [], aborted: [], looked: 0 }));
  afterEach(async () => {
    letSee();
    await Promise.all(open.splice(0).map(async (each) => (await each).hangUp()));
    await closeApplications();
  });

  /** The answer to a call begins when the call is done. */
  const sent = (url: string, message: object, headers: Record<string, string>): Promise<OpenPost> => {
    const one = post(url, message, headers);
    open.push(one);
    return one;
  };

  const cancel = (url: string, requestId: number, headers: Record<string, string>) =>
    sent(url, { method: 'notifications/cancelled', params: { requestId, reason: 'enough' } }, headers);

  it.each([
    ['by their token', SLOW, as('ada'), [as('eve'), {}], as('ada')],
    ['by their cookie', SLOW, { cookie: 'session=ada' }, [{ cookie: 'session=eve' }, {}], { cookie: 'session=ada' }],
    ['by who they are, with another token', APPROVALS, as('ada:1'), [as('eve:1'), {}], as('ada:2')],
    ['by nothing, where nobody knows who calls', APPROVALS, {}, [as('eve:1')], {}],
  ] as [string, ModuleMetadata, Record<string, string>, Record<string, string>[], Record<string, string>][])(
    'is so by its own caller, who is known %s, and by nobody else who knows the session',
    async (_what, metadata, caller, others, again) => {
      const { url } = await serve(platform, metadata, { dispatch: { forwardHeaders: ['cookie'] } });
      const session = await initialize(url, {}, caller);
      const of = (headers: Record<string, string>) => ({ ...headers, 'mcp-session-id': session });
      const call = sent(url, { id: 2, ...CALL }, of(caller));
      await eventually(() => expect(seen.begun).toHaveLength(1));
      for (const other of others) expect((await cancel(url, 2, of(other))).status).toBe(202);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(seen.aborted).toEqual([]);
      await cancel(url, 2, of(again));
      await eventually(() => expect(seen.aborted).toHaveLength(1));
      expect(JSON.stringify(await (await call).next())).toContain('dispatch_cancelled');
    },
  );

  it('is not so by whoever cannot be told', async () => {
    const unknown = { authorizer: publicApprovals(), principal: () => Promise.reject(new Error('down')) };
    const metadata = { ...SLOW, imports: [ApprovalsModule.forRoot(unknown)] };
    const { url } = await serve(platform, metadata, { dispatch: { timeoutMs: 500 } });
    const of = { ...as('ada'), 'mcp-session-id': await initialize(url, {}, as('ada')) };
    const call = sent(url, { id: 2, ...CALL }, of);
    await eventually(() => expect(seen.begun).toHaveLength(1));
    expect((await cancel(url, 2, of)).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen.aborted).toEqual([]);
    expect(JSON.stringify(await (await call).next())).toContain('deadline_exceeded');
  });

  it('is the caller’s own, also where somebody else calls with the same ids', async () => {
    const { url } = await serve(platform, SLOW);
    const session = { 'mcp-session-id': await initialize(url, {}, as('ada')) };
    const hers = sent(url, { id: 2, ...CALL }, { ...as('ada'), ...session });
    await eventually(() => expect(seen.begun).toEqual(['Bearer ada']));
    const theirs = sent(url, { id: 2, ...CALL }, { ...as('eve'), ...session });
    await eventually(() => expect(seen.begun).toEqual(['Bearer ada', 'Bearer eve']));
    await cancel(url, 2, { ...as('ada'), ...session });
    await eventually(() => expect(seen.aborted).toEqual(['Bearer ada']));
    await cancel(url, 2, { ...as('eve'), ...session });
    await eventually(() => expect(seen.aborted).toEqual(['Bearer ada', 'Bearer eve']));
    expect([(await hers).status, (await theirs).status]).toEqual([200, 200]);
  });

  it('does not run where it was cancelled before anybody knew what its caller sees', async () => {
    const { url } = await serve(platform, SLOW, SLOWLY_SEEN);
    const opening = initialize(url, {}, as('ada'));
    await eventually(() => expect(seen.looked).toBe(1));
    letSee();
    const of = { ...as('ada'), 'mcp-session-id': await opening };
    const call = sent(url, { id: 2, ...CALL }, of);
    await eventually(() => expect(seen.looked).toBe(2));
    const letCallSee = letSee;
    const cancelling = cancel(url, 2, of);
    await eventually(() => expect(seen.looked).toBe(3));
    letSee();
    await cancelling;
    letCallSee();
    expect(JSON.stringify(await (await call).next())).toContain('dispatch_cancelled');
    expect(seen.begun).toEqual([]);
  });

  it.each(ERAS)('does not run where its client was gone by then, in the era of %s', async (era) => {
    const { url } = await serve(platform, SLOW, SLOWLY_SEEN);
    const client = new Agent();
    const call = toolCall(era, 'slow__wait');
    const answer = catchError(() => fetch(url, { method: 'POST', ...call, dispatcher: client }));
    await eventually(() => expect(seen.looked).toBe(1));
    await client.destroy();
    await answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
    letSee();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.begun).toEqual([]);
    const other = new Agent();
    const running = catchError(() => fetch(url, { method: 'POST', ...call, dispatcher: other }));
    await eventually(() => expect(seen.looked).toBe(2));
    letSee();
    await eventually(() => expect(seen.begun).toHaveLength(1));
    await other.destroy();
    await running;
  });
});
