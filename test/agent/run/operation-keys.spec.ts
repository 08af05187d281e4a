import { Body, Controller, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IsInt } from 'class-validator';
import {
  defineAgent,
  IdempotencyKey,
  InMemoryAgentStore,
  Operation,
  OperationDispatcher,
  runAgent,
} from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { ANN, collect, doneOf } from './support/running.js';

class ChargeDto {
  @IsInt() cents!: number;
}

const keys: (string | undefined)[] = [];

@Controller('charges')
class ChargesController {
  @Operation({ name: 'charge' })
  @Post()
  charge(@Body() { cents }: ChargeDto, @IdempotencyKey() key: string | undefined): unknown {
    keys.push(key);
    return { cents };
  }
}

describe.each(PLATFORMS)('the idempotency key of an operation that an agent calls (%s)', (platform) => {
  afterEach(closeApplications);

  it("is the ledger's own, whatever key the caller's request had", async () => {
    keys.length = 0;
    const { app, palette } = await bootDispatching(platform, { controllers: [ChargesController] });
    const toolCalls = [1, 2].map((cents) => ({ name: 'charge', arguments: { cents } }));
    const store = new InMemoryAgentStore();
    const events = await collect(
      runAgent({
        agent: defineAgent({ name: 'clerk', model: new ScriptedModel([{ toolCalls }, 'Charged.']), palette }),
        dispatcher: app.get(OperationDispatcher),
        caller: { headers: {}, idempotencyKey: 'of the whole request' },
        ...{ conversation: 'c-1', principal: ANN, message: 'Charge both.', store },
      }),
    );
    expect(doneOf(events)).toMatchObject({ outcome: 'completed' });
    const recorded = (await store.calls('c-1')).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(recorded).size).toBe(2);
    expect([...keys].sort()).toEqual([...recorded].sort());
  });
});
