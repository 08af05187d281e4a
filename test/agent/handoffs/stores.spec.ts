import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore, withoutTools, type AgentEvent, type AgentStore } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { describeOnPostgres } from '../../stores/postgres-agent/support/describe-on-postgres.js';
import { PostgresPlace } from '../../stores/postgres-agent/support/postgres-store.js';
import { describeOnRedis } from '../../stores/redis-agent/support/describe-on-redis.js';
import { RedisPlace } from '../../stores/redis-agent/support/redis-place.js';
import { approvalsOf, decideAll } from '../run/support/approvals.js';
import { itemsOf } from '../run/support/journal.js';
import { collect, counted, doneOf, ofType, say, typesOf } from '../run/support/running.js';

/** @param storeOf a store as another process has it, over the same data */
function handsOver(storeOf: () => AgentStore): void {
  const process = (message: string | undefined, script: readonly ScriptedStep[]): Promise<AgentEvent[]> => {
    const store = storeOf();
    const tools = [counted('pay', { approval: 'It costs money.' }).tool];
    const handoffs = [{ to: 'clerk', filter: withoutTools }];
    const model = new ScriptedModel(script);
    const triage = defineAgent({ name: 'triage', model, tools, handoffs });
    const clerk = defineAgent({ name: 'clerk', model, handoffs: ['triage'] });
    const options = { agents: [clerk], store, approvals: approvalsOf(store), conversation: 'handed-over' };
    return collect(say(triage, message, options as never));
  };

  it('waits, hands over, and goes on with the other agent, each in a process of its own', async () => {
    const both = { toolCalls: [{ name: 'pay' }, { name: 'transfer_to_clerk' }] };
    expect(doneOf(await process('Pay, please.', [both]))).toMatchObject({ outcome: 'waiting', agent: 'triage' });
    await decideAll(storeOf());
    const decided = await process(undefined, ['Clerk here.']);
    expect(typesOf(decided)).toEqual(['tool_result', 'tool_result', 'handoff', 'message', 'done']);
    expect(doneOf(decided)).toMatchObject({ outcome: 'completed', agent: 'clerk' });
    expect(doneOf(await process('Who are you?', ['The clerk.']))).toMatchObject({
      agent: 'clerk',
      answer: 'The clerk.',
    });
    const back = await process('Back, please.', [{ toolCalls: [{ name: 'transfer_to_triage' }] }, 'Triage here.']);
    expect(ofType(back, 'handoff')).toMatchObject([{ from: 'clerk', to: 'triage' }]);
    expect(doneOf(await process('And now?', ['Triage.']))).toMatchObject({ agent: 'triage' });
    const items = await itemsOf(storeOf(), 'handed-over');
    expect(items.filter((type) => type === 'handoff' || type === 'run_ended')).toEqual([
      'handoff',
      'run_ended',
      'run_ended',
      'handoff',
      'run_ended',
      'run_ended',
    ]);
  });
}

describe('a conversation in memory', () => {
  const store = new InMemoryAgentStore();
  handsOver(() => store);
});

describeOnPostgres('a conversation in PostgreSQL', () => {
  let place: PostgresPlace;
  const stores: { close?(): unknown }[] = [];
  beforeAll(async () => {
    place = await PostgresPlace.open('handoffs', 5);
  });
  afterAll(async () => {
    for (const store of stores) await store.close?.();
    await place.close();
  });

  handsOver(() => {
    const store = place.store();
    stores.push(store as never);
    return store;
  });
});

describeOnRedis('a conversation in Redis', () => {
  let place: RedisPlace;
  beforeAll(() => {
    place = new RedisPlace('handoffs');
  });
  afterAll(() => place.close());

  handsOver(() => place.store());
});
