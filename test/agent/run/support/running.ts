import {
  defineAgent,
  functionTool,
  runAgent,
  type Agent,
  type AgentEvent,
  type FunctionTool,
  type ModelMessage,
  type RunAgentOptions,
} from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { z } from 'zod';

export const CALLER = { headers: {} };
export const ANN = { subject: 'ann', tenant: 'north' };

/** Every event of a run. */
export async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const typesOf = (events: readonly AgentEvent[]): string[] =>
  events.filter(({ type }) => type !== 'message_delta').map(({ type }) => type);

/** The events of one type. */
export function ofType<Type extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

export function doneOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'done' }> {
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error(`the last event is ${last?.type}`);
  return last;
}

export interface Counted {
  readonly tool: FunctionTool;
  /** The arguments it was run with, in order. */
  readonly runs: unknown[];
}

/** A tool that echoes its arguments and keeps count of its runs. */
export function counted(name: string, options: Partial<Parameters<typeof functionTool>[0]> = {}): Counted {
  const runs: unknown[] = [];
  const input = z.looseObject({});
  const inputSchema = { type: 'object' } as const;
  const execute = (args: unknown): unknown => {
    runs.push(args);
    return { ran: name, args };
  };
  return { runs, tool: functionTool({ name, description: name, input, inputSchema, execute, ...options }) };
}

export interface Asking {
  readonly model: ScriptedModel;
  readonly messages: ModelMessage[];
  readonly events: readonly AgentEvent[];
}

type Extra = Partial<Omit<RunAgentOptions, 'agent' | 'messages'>>;

/** Asks an agent of these tools one question, outside any store. */
export async function ask(
  script: readonly ScriptedStep[],
  tools: readonly FunctionTool[] = [],
  extra: Extra = {},
): Promise<Asking> {
  const model = new ScriptedModel(script);
  const agent = defineAgent({ name: 'helper', model, tools });
  const messages: ModelMessage[] = [{ role: 'user', text: 'question' }];
  const events = await collect(runAgent({ agent, messages, caller: CALLER, ...extra } as RunAgentOptions));
  model.assertComplete();
  return { model, messages, events };
}

/** Says something in a conversation. */
export function say(agent: Agent, message: string | undefined, extra: Extra & { readonly conversation?: string } = {}) {
  return runAgent({
    agent,
    conversation: 'c-1',
    principal: ANN,
    caller: CALLER,
    ...(message !== undefined && { message }),
    ...extra,
  } as RunAgentOptions);
}
