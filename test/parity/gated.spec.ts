import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type AgentStore, type ApprovalRecord } from 'nestjs-palette';
import { authorizer } from '../approvals/support/approving.js';
import { as, disabled, personOf, principal, TokenGuard } from '../approvals/support/people.js';
import { done, hold, RefundsController } from '../approvals/support/refunds.js';
import { closeClients } from '../mcp/support/clients.js';
import { closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { serve, type ServedApplication } from './support/application.js';
import { GATED_SURFACES, newSession, type Session, type Surface, type Who } from './support/surfaces.js';

const PAY = 'refunds__pay';
const REFUND = { order: 'o-1', amount: 10 };
const OTHERS = { order: 'o-2', amount: 10_000 };

const person = (name: string): Who => {
  const { headers } = as(name);
  return {
    headers: { ...headers } as Record<string, string>,
    principal: personOf(`Bearer ${name}`) ?? { subject: '' },
  };
};

/** How a call ends, in short: a loop that waits tells of it by no refusal, and so in no words. */
interface Ending {
  readonly code: string | undefined;
  readonly answer: unknown;
}
type CallTool = (name: string, args: Record<string, unknown>) => Promise<Ending>;

async function openOn(surface: Surface, served: ServedApplication, who: Who, session: Session): Promise<CallTool> {
  const call = await surface.open(served, who, session);
  return async (name, args) => {
    const { refusal, answer } = await call(name, args);
    return { code: refusal?.code, answer };
  };
}

function start(platform: Platform, store: AgentStore): Promise<ServedApplication> {
  return serve(platform, [RefundsController], {
    store,
    approvals: { authorizer, principal, guards: [TokenGuard], proposeUnasked: true },
  });
}

describe.each(PLATFORMS)('a call that a person must approve, on %s', (platform) => {
  describe.each(GATED_SURFACES.map((surface) => [surface.name, surface] as const))('through %s', (_name, surface) => {
    let served: ServedApplication;
    let session: Session;
    let call: CallTool;

    beforeEach(async () => {
      done.length = 0;
      session = newSession();
      served = await start(platform, new InMemoryAgentStore());
      call = await openOn(surface, served, person('ann'), session);
    });
    afterEach(async () => {
      hold.until = undefined;
      disabled.clear();
      await closeClients();
      await closeApplications();
    });

    const ask = (): Promise<Ending> => call(PAY, REFUND);

    async function pending(): Promise<ApprovalRecord> {
      const { approvals } = await served.store.approvals({ states: ['pending'] });
      expect(approvals).toHaveLength(1);
      return approvals[0] as ApprovalRecord;
    }

    /** Over HTTP, as the person at the desk does. */
    async function decide(who: string, decision: object = {}): Promise<number> {
      const { approvalId, argumentsHash } = await pending();
      const { status } = await fetch(`${served.base}/approvals/${approvalId}/decision`, {
        method: 'POST',
        headers: { ...person(who).headers, 'content-type': 'application/json' },
        body: JSON.stringify({ verdict: 'approve', argumentsHash, ...decision }),
      });
      return status;
    }

    const waiting = { code: 'approval_required', answer: undefined };
    const paid = { what: 'pay', input: REFUND };

    it('does not run without an approval, however often it is asked for', async () => {
      for (let time = 0; time < 3; time++) expect(await ask()).toEqual(waiting);
      expect(await pending()).toMatchObject({ requester: { subject: 'ann' }, toolName: PAY, state: 'pending' });
      expect(done).toEqual([]);
    });

    it('runs once when another person has approved it', async () => {
      await ask();
      expect(await decide('ann')).toBe(403);
      expect(await ask()).toEqual(waiting);
      expect(await decide('ben')).toBe(200);
      expect(await ask()).toEqual({ code: undefined, answer: paid });
      await ask();
      expect(done).toMatchObject([paid]);
    });

    it('runs once when it is asked for five times at once', async () => {
      await ask();
      await decide('ben');
      hold.until = new Promise((resolve) => setTimeout(resolve, 50));
      const askers = await Promise.all(
        Array.from({ length: 5 }, () => openOn(surface, served, person('ann'), { ...session })),
      );
      const endings = await Promise.allSettled(askers.map((asker) => asker(PAY, REFUND)));
      expect(endings.flatMap((each) => (each.status === 'fulfilled' && each.value.answer) || [])).not.toEqual([]);
      expect(done).toMatchObject([paid]);
    });

    it('runs in another process, once', async () => {
      await ask();
      await closeClients();
      await closeApplications();
      served = await start(platform, served.store);
      await decide('ben');
      call = await openOn(surface, served, person('ann'), session);
      expect(await ask()).toEqual({ code: undefined, answer: paid });
      expect(done).toMatchObject([paid]);
    });

    it('does not run when it was denied', async () => {
      await ask();
      await decide('ben', { verdict: 'deny', comment: 'no' });
      expect(await ask()).toEqual({ code: 'approval_denied', answer: undefined });
      expect(done).toEqual([]);
    });

    it('runs with the arguments that a person changed, and says so', async () => {
      await ask();
      expect(await decide('ben', { arguments: { ...REFUND, amount: 5 } })).toBe(200);
      expect((await ask()).answer).toMatchObject({
        notice: expect.stringContaining('A person changed the arguments'),
        result: { what: 'pay', input: { ...REFUND, amount: 5 } },
      });
      expect(done).toMatchObject([{ input: { amount: 5 } }]);
    });

    it('is refused by the guard when its person was disabled meanwhile', async () => {
      await ask();
      await decide('ben');
      disabled.add('ann');
      expect(await ask()).toEqual({ code: 'forbidden', answer: undefined });
      expect(done).toEqual([]);
    });

    it('approves nothing else: not other arguments, and not another person’s', async () => {
      await ask();
      await decide('ben');
      const dan = await openOn(surface, served, person('dan'), newSession());
      expect(await dan(PAY, REFUND)).toEqual(waiting);
      const other = await openOn(surface, served, person('ann'), newSession());
      expect(await other(PAY, OTHERS)).toEqual(waiting);
      expect(done).toEqual([]);
    });

    it('is refused with what is wrong, and asked of nobody, where its arguments are unfit', async () => {
      expect(await call(PAY, { ...REFUND, amount: 0 })).toEqual({ code: 'tool_arguments_invalid', answer: undefined });
      expect((await served.store.approvals({})).approvals).toEqual([]);
    });

    it('leaves what needs no approval alone', async () => {
      expect(await call('refunds__look', { order: 'o-1' })).toMatchObject({ answer: { what: 'look' } });
      expect((await served.store.approvals({})).approvals).toEqual([]);
    });
  });
});
