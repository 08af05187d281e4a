import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalsService, type AgentEvent } from 'nestjs-palette';
import { currentTransaction, type PostgresAgentStore } from 'nestjs-palette/postgres';
import { ScriptedModel } from 'nestjs-palette/testing';
import type { Pool } from 'pg';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { catchError } from '../../support/catch-error.js';
import { eventually } from '../../support/eventually.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import {
  ANN,
  bootLedgerApp,
  CALLER,
  desk,
  type How,
  type LedgerApp,
  type LedgerAppOptions,
} from './support/ledger-app.js';
import { poolOf, PostgresPlace } from './support/postgres-store.js';

let place: PostgresPlace;
/** Few connections, so that one that was given back wrongly is soon somebody else's. */
let pool: Pool;
let store: PostgresAgentStore;
let count = 0;

describeOnPostgres('a transactional call', () => {
  beforeAll(async () => {
    place = await PostgresPlace.open('transactional');
    pool = poolOf(3);
    desk.pool = place.pool;
    desk.table = `"${place.schema}".bookings`;
    await place.pool.query(`CREATE TABLE ${desk.table} (id text PRIMARY KEY)`);
  });
  beforeEach(() => {
    desk.keys.length = desk.late.length = 0;
    desk.during = undefined;
    store = place.store({}, pool);
    count += 1;
  });
  afterEach(closeApplications);
  afterAll(async () => {
    await pool.end();
    await place.close();
  });

  const booked = async (): Promise<string[]> => {
    const { rows } = await place.pool.query<{ id: string }>(`SELECT id FROM ${desk.table} WHERE id LIKE $1`, [
      `b-${count} %`,
    ]);
    return rows.map(({ id }) => id);
  };
  const booking = (how?: How) => ({ id: `b-${count} first`, ...(how && { how }) });
  /** Lets a handler that waits go on, at the end of the test at the latest. */
  const holding = (): (() => void) => {
    let release = (): void => undefined;
    desk.until = new Promise<void>((resolve) => (release = resolve));
    return release;
  };
  const lateEnd = () => eventually(() => expect(desk.late).toHaveLength(2));

  describe.each(PLATFORMS)('of an agent, on %s', (platform) => {
    let model: ScriptedModel;

    const run = async (how?: How, agents: LedgerAppOptions['agents'] = {}): Promise<AgentEvent[]> => {
      model = new ScriptedModel([{ toolCalls: [{ name: 'bookings__add', arguments: booking(how) }] }, 'Well.']);
      const app = await bootLedgerApp(platform, { store, model, agents });
      const events: AgentEvent[] = [];
      const request = { conversation: `c-${count}`, principal: ANN, caller: CALLER, message: 'book' };
      for await (const event of app.runner.run(request)) events.push(event);
      return events;
    };
    const callStates = async () => (await store.calls(`c-${count}`)).map(({ state }) => state);
    const toldOf = (events: readonly AgentEvent[]) =>
      events.flatMap((event) => (event.type === 'tool_result' ? [event.content] : []));
    const outcomeOf = (events: readonly AgentEvent[]) =>
      events.flatMap((event) => (event.type === 'done' ? [event.outcome] : []));

    it('commits together with the ledger, and nobody sees one without the other', async () => {
      const seen: unknown[] = [];
      desk.during = async () => seen.push([await booked(), await callStates()]);
      const events = await run();
      expect(seen).toEqual([[[], ['executing']]]);
      expect(await booked()).toEqual([booking().id]);
      expect(await callStates()).toEqual(['succeeded']);
      expect(toldOf(events)).toEqual([{ id: booking().id, isTransactional: true }]);
      expect(outcomeOf(events)).toEqual(['completed']);
      expect(desk.keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    });

    it('that the application refuses leaves nothing, and the model is told', async () => {
      const events = await run('refuse');
      expect(await booked()).toEqual([]);
      expect(await callStates()).toEqual(['failed']);
      expect(toldOf(events)).toMatchObject([{ message: 'sold out' }]);
      expect(outcomeOf(events)).toEqual(['completed']);
    });

    it.each(['throw', 'collide'] as const)(
      'that fails leaves nothing, and is known to have failed: %s',
      async (how) => {
        const events = await run(how);
        expect(await booked()).toEqual([]);
        expect(await callStates()).toEqual(['failed']);
        expect(toldOf(events)).toMatchObject([{ code: 'operation_failed' }]);
        expect(outcomeOf(events)).toEqual(['failed']);
        expect(await store.unknownCalls(10)).toEqual([]);
      },
    );

    it('that takes too long leaves nothing, also of what its handler does later', async () => {
      const release = holding();
      const events = await run('wait', { timeouts: { toolMs: 50 }, graceMs: 20 });
      expect(toldOf(events)).toMatchObject([{ code: 'tool_timed_out' }]);
      expect(await callStates()).toEqual(['failed']);
      // Others use the pool meanwhile, whose connections are few.
      await Promise.all(Array.from({ length: 9 }, () => store.transaction(async () => undefined)));
      release();
      await lateEnd();
      expect(desk.late).toEqual(['store_transaction_ended', 'store_transaction_ended']);
      await Promise.all(Array.from({ length: 9 }, () => store.transaction(async () => undefined)));
      expect(await booked()).toEqual([]);
    });

    it('that takes too long within a statement holds nobody up', async () => {
      const begun = Date.now();
      const events = await run('sleep', { timeouts: { toolMs: 50 }, graceMs: 20 });
      expect(Date.now() - begun).toBeLessThan(2_500);
      expect(toldOf(events)).toMatchObject([{ code: 'tool_timed_out' }]);
      expect(await booked()).toEqual([]);
    });
  });

  it('of a run that goes on is no part of the transaction that it was decided in', async () => {
    const model = new ScriptedModel([{ toolCalls: [{ name: 'bookings__gated', arguments: booking() }] }, 'Well.']);
    const seen: unknown[] = [];
    const resolvePrincipal = () => {
      seen.push(currentTransaction());
      return CALLER;
    };
    const agents = { resolvePrincipal, sweepIntervalMs: 600_000 };
    // A push would come from elsewhere, and might be first.
    store = place.store({ push: false }, pool);
    const { app, runner } = await bootLedgerApp('express', { store, model, agents });
    const conversation = `c-${count}`;
    for await (const _event of runner.run({ conversation, principal: ANN, caller: CALLER, message: 'book' }));
    const [approval] = (await store.approvals({ conversationId: conversation })).approvals;
    // Until nothing is arranged any more: the decision is what makes it look.
    await new Promise((resolve) => setTimeout(resolve, 400));
    const deciding = store.transaction(async () => {
      const decision = { verdict: 'approve', argumentsHash: approval?.argumentsHash ?? '' } as const;
      await app.get(ApprovalsService).decide({ subject: 'ben' }, approval?.approvalId ?? '', decision);
      throw new Error('taken back');
    });
    await expect(deciding).rejects.toThrow('taken back');
    await eventually(async () => expect((await store.find(conversation))?.openRunId).toBeUndefined());
    expect((await store.read(conversation)).at(-1)?.item).toMatchObject({ outcome: 'completed' });
    expect([seen, await booked()]).toEqual([[undefined], [booking().id]]);
  });

  it('that its process shuts down with leaves nothing there, and runs again elsewhere under the same key', async () => {
    const script = [{ toolCalls: [{ name: 'bookings__add', arguments: booking() }] }, 'Booked.'];
    const boot = (from: number) => {
      const limits = { shutdownGraceMs: 50, graceMs: 50, sweepIntervalMs: 100 };
      const agents = { resolvePrincipal: () => CALLER, ...limits };
      return bootLedgerApp('express', { store, model: new ScriptedModel(script.slice(from)), agents });
    };
    const conversation = `c-${count}`;
    await store.open(conversation, ANN);
    desk.during = () => new Promise(() => undefined);
    const { app } = await boot(0);
    await store.append(conversation, {
      expectedSeq: 0,
      items: [{ type: 'queued_message', text: 'book', principal: ANN }],
    });
    await eventually(() => expect(desk.keys).toHaveLength(1));
    await app.close();
    expect((await store.calls(conversation)).map(({ state }) => state)).toEqual(['executing']);
    desk.during = undefined;
    await boot(1);
    await eventually(async () =>
      expect((await store.read(conversation)).at(-1)?.item).toMatchObject({ type: 'run_ended', outcome: 'completed' }),
    );
    expect([await booked(), desk.keys]).toEqual([[booking().id], [desk.keys[0], desk.keys[0]]]);
  });

  describe.each(PLATFORMS)('of a loop of the application’s own, on %s', (platform) => {
    let app: LedgerApp;

    const boot = async (more: Partial<LedgerAppOptions> = {}): Promise<LedgerApp> => {
      app = await bootLedgerApp(platform, { store, model: new ScriptedModel([]), ...more });
      return app;
    };
    const stateOf = async ({ conversationId }: { readonly conversationId: string }) =>
      (await store.calls(conversationId))[0]?.state;

    it('commits together with the ledger, and nobody sees one without the other', async () => {
      await boot();
      const approval = await app.approved(booking());
      const seen: unknown[] = [];
      desk.during = async () => seen.push([await booked(), await stateOf(approval)]);
      const result = await app.dispatch(booking(), approval.approvalId);
      expect(result).toMatchObject({ isError: false, content: { isTransactional: true } });
      expect(seen).toEqual([[[], 'executing']]);
      expect([await booked(), await stateOf(approval)]).toEqual([[booking().id], 'succeeded']);
      expect(await app.dispatch(booking(), approval.approvalId)).toEqual(result);
      expect(desk.keys).toHaveLength(1);
    });

    it('that the application refuses leaves nothing, and is over', async () => {
      await boot();
      const approval = await app.approved(booking('refuse'));
      const result = await app.dispatch(booking('refuse'), approval.approvalId);
      expect(result).toMatchObject({ isError: true, content: { message: 'sold out' } });
      expect([await booked(), await stateOf(approval)]).toEqual([[], 'failed']);
      expect(await app.dispatch(booking('refuse'), approval.approvalId)).toEqual(result);
      expect(desk.keys).toHaveLength(1);
    });

    it('that broke left nothing, and runs again under the same key when it is asked for again', async () => {
      await boot();
      const approval = await app.approved(booking());
      desk.during = () => Promise.reject(new Error('the handler broke'));
      const failure = await catchError(() => app.dispatch(booking(), approval.approvalId));
      expect(failure).toMatchObject({ code: 'operation_failed' });
      expect([await booked(), await stateOf(approval)]).toEqual([[], 'executing']);
      desk.during = undefined;
      expect(await app.dispatch(booking(), approval.approvalId)).toMatchObject({ isError: false });
      expect([await booked(), await stateOf(approval)]).toEqual([[booking().id], 'succeeded']);
      expect(desk.keys).toEqual([desk.keys[0], desk.keys[0]]);
    });

    it('that runs out of time leaves nothing, also of what its handler does later', async () => {
      await boot({ operations: { dispatch: { timeoutMs: 100 } } });
      const release = holding();
      const approval = await app.approved(booking('wait'));
      const failure = await catchError(() => app.dispatch(booking('wait'), approval.approvalId));
      expect(failure).toMatchObject({ code: 'deadline_exceeded' });
      release();
      await lateEnd();
      expect(desk.late).toEqual(['store_transaction_ended', 'store_transaction_ended']);
      expect(await booked()).toEqual([]);
    });

    it('whose claim another replica took over leaves nothing here', async () => {
      await boot();
      const approval = await app.approved(booking());
      const replica = place.store();
      desk.during = async () => {
        // As if this process had slept through its lease.
        await place.advance(600_000);
        const claim = await replica.claimRun(approval.conversationId, 'replica', 60_000);
        await replica.claimCall(approval.conversationId, approval.callId, claim?.fence ?? 0);
      };
      const result = await app.dispatch(booking(), approval.approvalId);
      expect(result).toMatchObject({ isError: true, content: { code: 'call_running' } });
      expect([await booked(), await stateOf(approval)]).toEqual([[], 'executing']);
    });
  });
});
