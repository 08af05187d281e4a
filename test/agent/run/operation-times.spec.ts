import { Controller, Get, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  defineAgent,
  InMemoryAgentStore,
  Operation,
  OperationDispatcher,
  runAgent,
  type CallerContext,
  type RunTimeouts,
} from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { ANN, collect, doneOf, ofType } from './support/running.js';

let isSlow = true;
const answer = (): Promise<object> | object => (isSlow ? new Promise(() => undefined) : { made: 'it' });

@Controller('work')
class WorkController {
  @Get()
  @Operation({ description: 'Reads.' })
  read() {
    return answer();
  }

  @Post()
  @Operation({ description: 'Books.' })
  book() {
    return answer();
  }
}

afterEach(closeApplications);

describe.each(PLATFORMS)('an operation that takes too long (%s)', (platform) => {
  interface Times {
    readonly dispatchMs?: number;
    readonly timeouts?: RunTimeouts;
    readonly caller?: Partial<CallerContext>;
  }
  const called = async (name: string, { dispatchMs = 60, timeouts = {}, caller = {} }: Times = {}) => {
    const options = { dispatch: { timeoutMs: dispatchMs } };
    const { app, palette } = await bootDispatching(platform, { controllers: [WorkController] }, options);
    const model = new ScriptedModel([{ toolCalls: [{ name }] }, 'It took too long.']);
    const store = new InMemoryAgentStore();
    const events = await collect(
      runAgent({
        agent: defineAgent({ name: 'helper', model, palette }),
        dispatcher: app.get(OperationDispatcher),
        caller: { headers: {}, ...caller },
        ...{ conversation: 'c-1', principal: ANN, message: 'q', store, timeouts, graceMs: 20 },
      }),
    );
    const unknown = await store.unknownCalls(10);
    return { content: ofType(events, 'tool_result')[0]?.content, events, unknown: unknown.length };
  };

  it('by the dispatcher is told to the model, and the run goes on', async () => {
    isSlow = true;
    const { content, events, unknown } = await called('work__read');
    expect(content).toEqual({ code: 'deadline_exceeded', message: 'It took too long.' });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'It took too long.' });
    expect(unknown).toBe(0);
  });

  it('by the dispatcher, and that may not be repeated, is unknown to everybody', async () => {
    isSlow = true;
    const { content, events, unknown } = await called('work__book');
    expect(content).toMatchObject({ code: 'tool_outcome_unknown' });
    expect(doneOf(events).outcome).toBe('completed');
    expect(unknown).toBe(1);
  });

  it('by the run is told to the model as any other tool is', async () => {
    isSlow = true;
    const { content, events } = await called('work__read', { dispatchMs: 5_000, timeouts: { toolMs: 60 } });
    expect(content).toMatchObject({ code: 'tool_timed_out' });
    expect(doneOf(events).outcome).toBe('completed');
  });

  it('for the whole request of the caller ends the run', async () => {
    isSlow = true;
    const { content, events } = await called('work__read', {
      dispatchMs: 5_000,
      caller: { deadline: Date.now() - 1 },
    });
    expect(content).toMatchObject({ code: 'deadline_exceeded' });
    expect(ofType(events, 'error')[0]).toMatchObject({ code: 'deadline_exceeded', retryable: true });
    expect(doneOf(events).outcome).toBe('failed');
  });

  it.each(['work__read', 'work__book'])('is told nothing of where it is in time: %s', async (name) => {
    isSlow = false;
    const { content, unknown } = await called(name, { dispatchMs: 5_000, timeouts: { toolMs: 5_000 } });
    expect([content, unknown]).toEqual([{ made: 'it' }, 0]);
  });
});
