import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type AgentStore } from 'nestjs-palette';
import { describeOnPostgres } from '../stores/postgres-agent/support/describe-on-postgres.js';
import { PostgresPlace } from '../stores/postgres-agent/support/postgres-store.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { initialize, post } from './support/asked-client.js';
import { allApprovals, as, paid, serveRefunds } from './support/refunds.js';
import { askAda, callRefund, REFUND, told } from './support/wire-refunds.js';

/** @param stores of two replicas, which are one another's */
function describeReplicas(stores: () => Promise<readonly [AgentStore, AgentStore]>): void {
  describe.each(PLATFORMS)('on %s', (platform) => {
    beforeEach(() => void (paid.length = 0));
    afterEach(closeApplications);

    async function start() {
      const [here, there] = await stores();
      const serve = (store: AgentStore) => serveRefunds(platform, { mayRequesterDecide: true, store });
      return { a: await serve(here), b: await serve(there) };
    }
    const states = async ({ app }: Awaited<ReturnType<typeof start>>['a']) =>
      (await allApprovals(app)).map(({ state }) => state);

    it('runs once where it is asked about at one and answered at the other', async () => {
      const { a, b } = await start();
      const { answer } = await askAda(a.base);
      expect(told((await callRefund(b.base, 'ada', answer('accept'))).result)).toEqual({ refunded: 5 });
      expect([await states(a), paid]).toEqual([['approved'], [5]]);
      for (const { base } of [a, b])
        expect(told((await callRefund(base, 'ada', answer('accept'))).result)).toEqual({ refunded: 5 });
      expect(paid).toEqual([5]);
    });

    it('runs once where it is answered at both at a time', async () => {
      const { a, b } = await start();
      const { answer } = await askAda(a.base);
      const answers = await Promise.all(
        [a, b, a, b].map(async ({ base }) => told((await callRefund(base, 'ada', answer('accept'))).result)),
      );
      expect(answers).toContainEqual({ refunded: 5 });
      expect(paid).toEqual([5]);
    });

    it('never runs where it was declined at the other, whatever is said here', async () => {
      const { a, b } = await start();
      const { answer } = await askAda(a.base);
      expect(told((await callRefund(b.base, 'ada', answer('decline'))).result)).toMatchObject({
        code: 'approval_denied',
      });
      expect(told((await callRefund(a.base, 'ada', answer('accept'))).result)).toMatchObject({
        code: 'approval_denied',
      });
      expect([await states(b), paid]).toEqual([['denied'], []]);
    });

    it('is another person’s nowhere', async () => {
      const { a, b } = await start();
      const { answer } = await askAda(a.base);
      expect(told((await callRefund(b.base, 'eve', answer('accept'))).result)).toMatchObject({
        code: 'approval_unknown',
      });
      expect([await states(b), paid]).toEqual([['pending'], []]);
    });

    // What such a client says has to reach the process that asked: its call is waiting there.
    it('goes on waiting where a client of 2025 answers at the other, until it answers here', async () => {
      const { a, b } = await start();
      const headers = { ...as('ada'), 'mcp-session-id': await initialize(a.url, { elicitation: {} }, as('ada')) };
      const running = await post(a.url, { id: 2, method: 'tools/call', params: REFUND }, headers);
      const question = await running.next();
      const accepted = { id: question?.id, result: { action: 'accept', content: {} } };
      const elsewhere = await post(b.url, accepted, headers);
      expect(elsewhere.status).toBe(202);
      expect([await states(b), paid]).toEqual([['pending'], []]);
      const here = await post(a.url, accepted, headers);
      expect(told((await running.next())?.result)).toEqual({ refunded: 5 });
      expect([await states(b), paid]).toEqual([['approved'], [5]]);
      await Promise.all([running, elsewhere, here].map((each) => each.hangUp()));
    });
  });
}

describe('a gated call at two replicas with one store', () => {
  describe('in memory', () => {
    describeReplicas(async () => {
      const store = new InMemoryAgentStore();
      return [store, store];
    });
  });

  describeOnPostgres('in PostgreSQL', () => {
    let place: PostgresPlace;
    beforeAll(async () => {
      place = await PostgresPlace.open('mcp');
    });
    afterAll(() => place.close());

    describeReplicas(async () => {
      const { store } = await place.underTest();
      return [store, place.store()];
    });
  });
});
