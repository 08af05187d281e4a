import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ModelMessage as SdkMessage } from 'ai';
import {
  ChatCompletionsModel,
  chatCompletionsService,
  defineAgent,
  EgressHttpModule,
  egressToken,
  functionTool,
  InMemoryAgentStore,
  runAgent,
  type Agent,
  type EgressClient,
  type Model,
  type ModelMessage,
  type ModelReply,
} from 'nestjs-palette';
import { agentsJs, aiSdk, aiSdkStream, INPUT, lookUp, QUESTION, STEPS, type Run } from './agent-rivals.js';
import { measure, microsecondsPerCall, type BenchRow } from './measure.js';

const TOKENS = 5_000;
const LONG = 1_000;
const provider = chatCompletionsService('provider');

/** The loop against two others, with a model that takes no time; streams against one; a long conversation that goes on. */
export async function* agent(): AsyncGenerator<BenchRow> {
  yield await steps('ten steps against OpenAI Agents JS', agentsJs());
  yield await steps('ten steps against AI SDK 6', aiSdk());
  yield await streams();
  yield await longConversation();
}

function steps(row: string, other: Run): Promise<BenchRow> {
  return measure({
    bench: 'agent',
    row,
    unit: 'us/step',
    maxRatio: 1,
    rounds: 15,
    ours: () => perStep(ours),
    other: () => perStep(other),
  });
}

async function perStep(run: Run): Promise<number> {
  return (await microsecondsPerCall(40, () => checked(run, 'Notes.'))) / STEPS;
}

async function checked(run: Run, wanted: string): Promise<void> {
  const text = await run();
  if (text !== wanted) throw new Error(`the answer is ${text.slice(0, 50)}`);
}

const look = functionTool({
  name: 'look_up',
  description: 'Looks into a box.',
  input: INPUT,
  execute: lookUp,
  annotations: { readOnly: true },
});

async function ours(): Promise<string> {
  return answerOf(helper(STEPS), [{ role: 'user', text: QUESTION }]);
}

function helper(count: number): Agent {
  return defineAgent({ name: 'helper', model: quickModel(count), system: 'Look.', tools: [look] });
}

async function answerOf(agent: Agent, messages: ModelMessage[]): Promise<string> {
  for await (const event of runAgent({ agent, messages, caller: { headers: {} }, maxSteps: STEPS + 1 })) {
    if (event.type === 'done') return String(event.answer);
  }
  return 'nothing';
}

function quickModel(count: number): Model {
  let step = 0;
  const usage = { inputTokens: 10, outputTokens: 5 };
  return {
    name: 'quick',
    provider: 'bench',
    complete: async (): Promise<ModelReply> => {
      step++;
      if (step >= count) return { text: 'Notes.', toolCalls: [], finishReason: 'stop', usage, model: 'quick' };
      const toolCalls = [{ id: `call_${step}`, name: 'look_up', arguments: { box: step } }];
      return { text: '', toolCalls, finishReason: 'tool_calls', usage, model: 'quick' };
    },
  };
}

/** From the bytes of a server to what a consumer is told, a token at a time. */
async function streams(): Promise<BenchRow> {
  const server = await streaming();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await application(url);
  const client = app.get<EgressClient<typeof provider>>(egressToken(provider), { strict: false });
  const model = new ChatCompletionsModel({ client, model: 'any' });
  const text = 'word '.repeat(TOKENS);
  const perToken = async (run: Run): Promise<number> =>
    (await microsecondsPerCall(4, () => checked(run, text))) / TOKENS;
  const told = async (): Promise<string> => {
    let all = '';
    const messages: ModelMessage[] = [{ role: 'user', text: QUESTION }];
    for await (const event of runAgent({ model, messages, caller: { headers: {} } })) {
      if (event.type === 'message_delta') all += event.text;
    }
    return all;
  };
  try {
    const other = aiSdkStream(url);
    return await measure({
      bench: 'agent',
      row: `a stream of ${TOKENS} tokens against AI SDK 6`,
      unit: 'us/token',
      maxRatio: 1,
      rounds: 9,
      ours: () => perToken(told),
      other: () => perToken(other),
    });
  } finally {
    await app.close();
    server.closeAllConnections();
    server.close();
  }
}

async function streaming(): Promise<Server> {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', model: 'any', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const body = Buffer.from(`${chunk({ content: 'word ' }).repeat(TOKENS)}${chunk({}, 'stop')}data: [DONE]\n\n`);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function application(url: string): Promise<INestApplicationContext> {
  @Module({
    imports: [
      EgressHttpModule.forRoot({ services: { provider: { baseUrl: url, egressSensitive: false } } }),
      EgressHttpModule.forFeature([provider]),
    ],
  })
  class AgentBenchModule {}
  return NestFactory.createApplicationContext(AgentBenchModule, { logger: false });
}

/** One more question in a conversation of a thousand messages, kept in a store, against the same history given to AI SDK 6. */
async function longConversation(): Promise<BenchRow> {
  const store = new InMemoryAgentStore();
  const principal = { subject: 'ann' };
  const ask = async (message: string): Promise<string> => {
    const run = runAgent({
      agent: helper(1),
      store,
      conversation: 'long',
      principal,
      message,
      caller: { headers: {} },
    });
    for await (const event of run) if (event.type === 'done') return String(event.answer);
    return 'nothing';
  };
  for (let turn = 0; turn < LONG / 2; turn++) await ask(`question ${turn}`);
  const history = Array.from({ length: LONG }, (_, index): SdkMessage =>
    index % 2 === 0 ? { role: 'user', content: `question ${index}` } : { role: 'assistant', content: 'Notes.' },
  );
  const other = aiSdk(history, 1);
  return measure({
    bench: 'agent',
    row: `one more turn after ${LONG} messages against AI SDK 6`,
    unit: 'us/turn',
    maxRatio: 1,
    rounds: 9,
    ours: () => microsecondsPerCall(10, () => checked(() => ask(QUESTION), 'Notes.')),
    other: () => microsecondsPerCall(10, () => checked(other, 'Notes.')),
  });
}
