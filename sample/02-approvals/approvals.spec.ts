import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAgentStore, type AgentStore } from 'nestjs-palette';
import request from 'supertest';
import { describeOnPostgres } from '../../test/stores/postgres-agent/support/describe-on-postgres.js';
import { bootApplication, closeApplications, PLATFORMS } from '../../test/support/application.js';
import { eventually } from '../../test/support/eventually.js';
import { POSTGRES, postgresSchema, type OwnPlace } from '../../test/support/servers.js';
import { providerOf } from '../00-query-agent/model/model.service.js';
import { AppModule } from './app.module.js';
import { playDemo } from './demo.js';
import type { Turn } from './desk/desk.service.js';
import { Payments } from './orders/payments.js';
import { StaffService, type STAFF } from './staff/staff.service.js';
import { openStore, type OpenedStore } from './store.js';

type Who = keyof typeof STAFF;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const REFUND = 'Refund 120 for order A-2, please.';

describe.each(PLATFORMS)('sample 02, refunds that wait for a person, on %s', (platform) => {
  let store: AgentStore;
  let payments: Payments;
  let app: INestApplication;

  beforeEach(async () => {
    payments = new Payments();
    await start(new InMemoryAgentStore());
  });
  afterEach(closeApplications);

  async function start(opened: AgentStore): Promise<void> {
    store = opened;
    app = await bootApplication(platform, { imports: [AppModule.register({ store, payments })] });
  }

  async function restart(): Promise<void> {
    await closeApplications();
    await start(store);
  }

  async function send(who: Who, path: string, body?: object): Promise<Answer> {
    const server = request(app.getHttpServer() as never);
    const sent = body === undefined ? server.get(path) : server.post(path).send(body);
    const authorization = await app.get(StaffService, { strict: false }).authorizationOf(who);
    return sent.set('authorization', authorization ?? '');
  }

  const say = async (who: Who, text: string, conversation = 'c-1'): Promise<Turn> => {
    const { status, body } = await send(who, `/conversations/${conversation}/messages`, { text });
    expect(status).toBe(200);
    return body as unknown as Turn;
  };

  async function decide(who: Who, turn: Turn, decision: object = {}): Promise<Answer> {
    const path = `/approvals/${turn.waitsFor[0]?.approvalId}`;
    const { argumentsHash } = (await send('petra', path)).body;
    return send(who, `${path}/decision`, { verdict: 'approve', argumentsHash, ...decision });
  }

  /** The conversation's last message: what it shows when it shows an answer. */
  async function shows(answer: string): Promise<void> {
    await eventually(async () => {
      const { body } = await send('nina', '/conversations/c-1/messages');
      expect((body['messages'] as readonly object[]).at(-1)).toMatchObject({ role: 'assistant', text: answer });
    });
  }

  it('pays a small one at once', async () => {
    expect(await say('nina', 'Refund 20 for order A-1.')).toMatchObject({
      outcome: 'completed',
      answer: '20 euros went back for A-1.',
      waitsFor: [],
    });
    expect(payments.paid).toEqual([{ order: 'A-1', amount: 20 }]);
  });

  it('lets a larger one wait, over a restart, and pays it once when another person has approved it', async () => {
    const turn = await say('nina', REFUND);
    expect(turn).toMatchObject({ outcome: 'waiting', waitsFor: [{ reason: 'More than 50 euros go back.' }] });
    await restart();
    expect(payments.requests).toBe(0);
    expect(await decide('omar', turn)).toMatchObject({ status: 200, body: { outcome: 'decided' } });
    await shows('120 euros went back for A-2.');
    expect(payments).toMatchObject({ requests: 1, paid: [{ order: 'A-2', amount: 120 }] });
    expect(await decide('omar', turn)).toMatchObject({ status: 200, body: { outcome: 'repeated' } });
    await restart();
    await shows('120 euros went back for A-2.');
    expect(payments.requests).toBe(1);
  });

  it('is paid once, however many replicas there are to pay it', async () => {
    const turn = await say('nina', REFUND);
    for (let replica = 0; replica < 3; replica++) await start(store);
    await decide('omar', turn);
    await shows('120 euros went back for A-2.');
    expect(payments.requests).toBe(1);
  });

  it('tells the model of a denial, and why', async () => {
    const turn = await say('nina', REFUND);
    await decide('omar', turn, { verdict: 'deny', comment: 'the goods never came back' });
    await shows('The refund was denied: the goods never came back.');
    expect(payments.requests).toBe(0);
  });

  it('is not decided by whoever asked for it, whatever their role, nor by a clerk', async () => {
    const own = await say('omar', REFUND, 'c-2');
    expect(await decide('omar', own)).toMatchObject({ status: 403, body: { code: 'approval_requester_refused' } });
    expect(await decide('nina', own)).toMatchObject({ status: 404, body: { code: 'approval_unknown' } });
    expect(await decide('petra', own)).toMatchObject({ status: 200 });
  });

  it('is for a director where it is much', async () => {
    const turn = await say('nina', 'Refund 900 for order A-3.');
    expect(await decide('omar', turn)).toMatchObject({ status: 403, body: { code: 'approval_decider_refused' } });
    expect(await decide('petra', turn)).toMatchObject({ status: 200 });
    await shows('900 euros went back for A-3.');
  });

  it('runs with the amount that a person changed, and is for a director where that makes it much', async () => {
    const turn = await say('nina', REFUND);
    const much = await decide('omar', turn, { arguments: { order: 'A-3', amount: 900 } });
    expect(much).toMatchObject({ status: 403, body: { code: 'approval_decider_refused' } });
    expect(await decide('omar', turn, { arguments: { order: 'A-2', amount: 60 } })).toMatchObject({ status: 200 });
    await shows('60 euros went back for A-2. A person changed the arguments.');
    expect(payments.paid).toEqual([{ order: 'A-2', amount: 60 }]);
  });

  it('stays as it was decided: another decision is a conflict', async () => {
    const turn = await say('nina', REFUND);
    await decide('omar', turn, { verdict: 'deny' });
    expect(await decide('petra', turn)).toMatchObject({
      status: 409,
      body: { code: 'approval_conflict', details: { state: 'denied', by: 'omar' } },
    });
    await shows('The refund was denied: without a word.');
    expect(payments.requests).toBe(0);
  });

  it('is refused by the guard where its person was suspended meanwhile', async () => {
    const turn = await say('nina', REFUND);
    app.get(StaffService, { strict: false }).suspend('nina');
    await decide('omar', turn);
    await eventually(async () => {
      const [call] = await store.calls('c-1');
      expect(call).toMatchObject({ state: 'failed', result: { content: { code: 'forbidden' } } });
    });
    expect(payments.requests).toBe(0);
  });

  it('is given up where its person has left', async () => {
    const turn = await say('nina', REFUND);
    app.get(StaffService, { strict: false }).leaves('nina');
    await decide('omar', turn);
    await eventually(async () => expect((await store.calls('c-1'))[0]).toMatchObject({ state: 'cancelled' }));
    expect(payments.requests).toBe(0);
  });

  it('is given up for a newer message, which approves nothing', async () => {
    const turn = await say('nina', REFUND);
    expect(await say('nina', 'Yes, I approve it. What about order A-1?')).toMatchObject({
      answer: 'Order A-1 came to 80 euros.',
    });
    expect(await decide('omar', turn)).toMatchObject({ status: 409, body: { code: 'approval_conflict' } });
    expect(payments.requests).toBe(0);
  });

  it('is nobody else’s conversation', async () => {
    await say('nina', REFUND);
    const path = '/conversations/c-1/messages';
    for (const answer of [await send('omar', path), await send('omar', path, { text: REFUND })]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'conversation_unknown' } });
    }
  });

  it('leaves plain HTTP as it was: a person who asks by themselves needs no approval', async () => {
    expect(await send('nina', '/orders/A-2/refunds', { amount: 120 })).toMatchObject({ status: 201 });
    expect(payments.paid).toEqual([{ order: 'A-2', amount: 120 }]);
  });

  describeOnPostgres('in PostgreSQL', () => {
    let place: OwnPlace;
    let opened: OpenedStore;

    beforeEach(async () => {
      await closeApplications();
      place = (await postgresSchema('sample02')) as OwnPlace;
      opened = await open();
      await start(opened.store);
    });
    afterEach(async () => {
      await closeApplications();
      await opened.close();
      await place.drop();
    });

    const open = (): Promise<OpenedStore> => {
      const { host, port, user, password, database } = POSTGRES;
      const address = new URL(`postgres://${host}:${port}/${database}`);
      address.username = user;
      address.password = password;
      return openStore(address.href, place.place);
    };

    it('a refund waits over a restart, with a connection of its own, and is paid once', async () => {
      const turn = await say('nina', REFUND);
      expect(turn.outcome).toBe('waiting');
      await closeApplications();
      await opened.close();
      opened = await open();
      await start(opened.store);
      await decide('omar', turn);
      await shows('120 euros went back for A-2.');
      expect(payments.requests).toBe(1);
    });

    it('the demo shows what it promises', async () => {
      // Another replica would pay as well.
      await closeApplications();
      const lines: string[] = [];
      expect(await playDemo((line) => lines.push(line), opened)).toEqual([]);
      expect(lines[0]).toBe('Conversations and approvals are kept in PostgreSQL.');
    });
  });
});

describe('the demo of sample 02', () => {
  it('shows what it promises', async () => {
    const lines: string[] = [];
    expect(await playDemo((line) => lines.push(line), await openStore(undefined))).toEqual([]);
    const shown = lines.join('\n');
    expect(shown).toContain('waits      More than 50 euros go back.');
    expect(shown).toMatch(
      /nina says {3}approve \{"order":"A-2","amount":120\}\n {2}refused {4}approval_requester_refused/,
    );
    expect(shown).toContain('The bank paid [{"order":"A-1","amount":20},{"order":"A-2","amount":120}]');
  });

  it('talks to the provider that the environment names, in place of the canned one', async () => {
    const asked: Record<string, unknown>[] = [];
    const server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        asked.push(JSON.parse(body) as Record<string, unknown>);
        const choice = { index: 0, delta: { content: 'From afar.' }, finish_reason: 'stop' };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const provider = providerOf({ MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`, MODEL_NAME: 'far-1' });
      const lines: string[] = [];
      expect(await playDemo((line) => lines.push(line), await openStore(undefined), provider)).toEqual([]);
      expect(lines).toContain('  answer     From afar.');
      expect(asked).toHaveLength(3);
      expect(asked[0]).toMatchObject({ model: 'far-1', tools: { length: 2 } });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
