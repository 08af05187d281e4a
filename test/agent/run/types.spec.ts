import { describe, expect, it } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import { defineAgent, functionTool, InMemoryAgentStore, runAgent } from 'nestjs-palette';
import type { AgentEvent, AnswerOf, DoneEvent, FunctionToolContext, ModelMessage, Palette } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { z } from 'zod';
import { ANN, CALLER, collect, doneOf } from './support/running.js';

/** Fails to compile unless both are the very same type. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const holds = <_Claim extends true>(): void => undefined;
/** Fails to compile unless a value is of the very type. */
const is =
  <Wanted>() =>
  <Given>(_value: Given, ..._same: Same<Given, Wanted> extends true ? [] : ['another type']): void =>
    undefined;

class OrderDto {
  @IsString() order!: string;
  @IsInt() amount!: number;
}

const total = z.object({ total: z.number(), note: z.string().optional() });
const dated = z.object({ day: z.string().transform((day) => new Date(day)) });

const model = (...script: string[]): ScriptedModel => new ScriptedModel(script);
const messages = (): ModelMessage[] => [{ role: 'user', text: 'q' }];

/** Everything that a reader of events has to tell apart; a type that is missing does not compile. */
function said(event: AgentEvent): string {
  switch (event.type) {
    case 'message_delta':
      return event.text;
    case 'tool_call':
      return `${event.toolName} ${Object.keys(event.arguments).join()}`;
    case 'approval_request':
      return `${event.approvalId} ${event.reason} ${event.expiresAt.toFixed()}`;
    case 'approval_decision':
      return `${event.outcome} ${event.by?.subject} ${event.isEdited}`;
    case 'tool_result':
      return `${event.isError} ${typeof event.content}`;
    case 'handoff':
      return `${event.from} ${event.to}`;
    case 'message':
      return `${event.text} ${event.finishReason} ${event.usage.inputTokens}`;
    case 'error':
      return `${event.code} ${event.retryable}`;
    case 'done':
      return `${event.outcome} ${event.usage.modelCalls.toFixed()} ${event.pendingApprovals.join()}`;
  }
}

describe('the types of events', () => {
  it('are told apart by `type`, every one of them', async () => {
    const events = await collect(runAgent({ model: model('Hello.'), messages: messages(), caller: CALLER }));
    expect(events.map(said)).toEqual(['Hello.', 'Hello. stop 10', 'completed 1 ']);
  });

  it('have nothing of one another', () => {
    const read = (event: AgentEvent) => {
      // @ts-expect-error Only a `done` has an outcome of the run.
      void event.usage;
      // @ts-expect-error What a reader may not change.
      if (event.type === 'message') event.text = 'another';
      // @ts-expect-error There is no such event.
      return event.type === 'tool_start';
    };
    expect(typeof read).toBe('function');
  });
});

describe('the types of a function tool', () => {
  it('give `execute` what the input makes of the arguments: a DTO, a schema, and what a schema transforms', () => {
    const tools = [
      functionTool({
        name: 'dto',
        description: 'x',
        input: OrderDto,
        approval: (input) => (is<OrderDto>()(input), false),
        execute: (input, context) => {
          is<OrderDto>()(input);
          is<FunctionToolContext>()(context);
          // @ts-expect-error A property that the DTO does not declare.
          return input.amount + Number(input.price);
        },
      }),
      functionTool({
        name: 'schema',
        description: 'x',
        input: total,
        execute: (input) => {
          is<{ total: number; note?: string | undefined }>()(input);
          // @ts-expect-error A property of another type.
          return input.total.toUpperCase();
        },
      }),
      functionTool({
        name: 'transformed',
        description: 'x',
        input: dated,
        inputSchema: { type: 'object', properties: { day: { type: 'string' } } },
        execute: ({ day }) => (is<Date>()(day), day.getTime()),
      }),
    ];
    expect(tools).toHaveLength(3);
  });
});

describe('the types of an answer', () => {
  it('are those of `output`: of a schema, of a DTO, and text without one', async () => {
    const asSchema = defineAgent({ name: 'schema', model: model('{"total":3}'), output: total });
    const asDto = defineAgent({ name: 'dto', model: model('{"order":"o","amount":1}'), output: OrderDto });
    const asText = defineAgent({ name: 'text', model: model('Three.') });
    holds<Same<AnswerOf<typeof asSchema>, { total: number; note?: string | undefined }>>();
    holds<Same<AnswerOf<typeof asDto>, OrderDto>>();
    holds<Same<AnswerOf<typeof asText>, string>>();

    for await (const event of runAgent({ agent: asSchema, messages: messages(), caller: CALLER })) {
      if (event.type !== 'done') continue;
      is<DoneEvent<{ total: number; note?: string | undefined }>>()(event);
      // @ts-expect-error A run may end without an answer.
      expect(event.answer.total).toBe(3);
      expect(event.answer?.total.toFixed(1)).toBe('3.0');
    }
    for await (const event of runAgent({ agent: asDto, messages: messages(), caller: CALLER })) {
      if (event.type === 'done') expect(event.answer?.order.toUpperCase()).toBe('O');
    }
    for await (const event of runAgent({ agent: asText, messages: messages(), caller: CALLER })) {
      if (event.type === 'done') expect(event.answer?.toUpperCase()).toBe('THREE.');
    }
  });

  it('are text for a model without an agent', async () => {
    const events = await collect(runAgent({ model: model('Three.'), messages: messages(), caller: CALLER }));
    const done = events.at(-1);
    is<AgentEvent<string> | undefined>()(done);
    expect(doneOf(events).answer).toBe('Three.');
  });
});

describe('the types of the options of a run', () => {
  const agent = defineAgent({ name: 'helper', model: model() });
  const store = new InMemoryAgentStore();
  const conversation = { conversation: 'c-1', principal: ANN };

  it('take an agent or a model, and a conversation or messages', () => {
    const runs = () => [
      runAgent({ agent, ...conversation, message: 'q', store, caller: CALLER }),
      runAgent({ agent, ...conversation, caller: CALLER }),
      runAgent({ agent, messages: messages(), caller: CALLER }),
      runAgent({ agent, messages: messages(), principal: ANN, agents: [], caller: CALLER }),
      runAgent({ model: model(), palette: {} as Palette, system: 's', messages: messages(), caller: CALLER }),
    ];
    expect(typeof runs).toBe('function');
  });

  it('refuse what does not go together', () => {
    const runs = () => [
      // @ts-expect-error Both messages and a conversation.
      runAgent({ agent, ...conversation, messages: messages(), caller: CALLER }),
      // @ts-expect-error Neither of them.
      runAgent({ agent, caller: CALLER }),
      // @ts-expect-error A conversation of nobody.
      runAgent({ agent, conversation: 'c-1', message: 'q', caller: CALLER }),
      // @ts-expect-error Messages in a store.
      runAgent({ agent, messages: messages(), store, caller: CALLER }),
      // @ts-expect-error A message besides messages.
      runAgent({ agent, messages: messages(), message: 'q', caller: CALLER }),
      // @ts-expect-error Messages that wait for a person.
      runAgent({ agent, messages: messages(), whenWaiting: 'wait', caller: CALLER }),
      // @ts-expect-error Messages that the run could not add to.
      runAgent({ agent, messages: messages() as readonly ModelMessage[], caller: CALLER }),
      // @ts-expect-error Both an agent and a model.
      runAgent({ agent, model: model(), messages: messages(), caller: CALLER }),
      // @ts-expect-error Neither of them.
      runAgent({ messages: messages(), caller: CALLER }),
      // @ts-expect-error Other agents, and none to begin with.
      runAgent({ model: model(), agents: [agent], messages: messages(), caller: CALLER }),
      // @ts-expect-error On nobody's behalf.
      runAgent({ agent, messages: messages() }),
      // @ts-expect-error A policy that there is none of.
      runAgent({ agent, ...conversation, onOpenRun: 'drop', caller: CALLER }),
      // @ts-expect-error A limit that is no number.
      runAgent({ agent, messages: messages(), maxSteps: '3', caller: CALLER }),
    ];
    expect(typeof runs).toBe('function');
  });
});
