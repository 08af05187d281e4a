import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ChatCompletionsModel,
  chatCompletionsService,
  defineAgent,
  functionTool,
  runAgent,
  type ModelMessage,
  type ModelRequest,
} from 'nestjs-palette';
import { z } from 'zod';
import { egressApp } from '../../egress/support/egress-app.js';
import { collect, doneOf, ofType, typesOf } from '../run/support/running.js';
import { question, readFailure, readStream } from './support/model-app.js';

const MAIN = join(import.meta.dirname, '../../../node_modules/@dwmkerr/mock-llm/dist/main.js');

const call = { function: { name: 'weather', arguments: '{"city":"Paris"}' } };
const reply = (message: unknown, reason: string) => ({
  status: 200,
  content: JSON.stringify({ id: 'x', created: 1, model: 'stock', choices: [{ message, finish_reason: reason }] }),
});
const rule = (match: string, response: unknown) => ({ path: '/v1/chat/completions', match, response });
const CONFIG = {
  streaming: { chunkSize: 5, chunkIntervalMs: 1 },
  rules: [
    rule('@', reply({ tool_calls: [call] }, 'tool_calls')),
    rule(`body.messages[-1].role == 'tool'`, reply({ content: 'It is mild in Paris.' }, 'stop')),
    rule(`contains(body.messages[-1].content || '', 'fail')`, {
      status: 500,
      content: JSON.stringify({ error: { message: 'Broken', type: 'server_error' } }),
    }),
  ],
};

/** A server that is not ours, in a process of its own. */
describe('@dwmkerr/mock-llm', () => {
  let folder: string;
  let server: ChildProcess;
  let context: Awaited<ReturnType<typeof egressApp<ReturnType<typeof chatCompletionsService>>>>;
  let model: ChatCompletionsModel;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stock-server-'));
    const config = join(folder, 'mock-llm.yaml');
    writeFileSync(config, JSON.stringify(CONFIG));
    const port = await freePort();
    const env = { ...process.env, HOST: '127.0.0.1', PORT: String(port) };
    server = spawn(process.execPath, [MAIN, '--config', config], { env, stdio: 'ignore' });
    await answering(`http://127.0.0.1:${port}/ready`);
    context = await egressApp(chatCompletionsService(), { baseUrl: `http://127.0.0.1:${port}/v1` });
    model = new ChatCompletionsModel({ client: context.client, model: 'stock' });
  }, 60_000);
  afterAll(async () => {
    await context.app.close();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function afterTheTool(): Promise<ModelRequest> {
    const { text, toolCalls } = await model.complete(question);
    expect(toolCalls).toEqual([
      { id: expect.stringMatching(/^\w{9}$/), name: 'weather', arguments: { city: 'Paris' } },
    ]);
    const results = toolCalls.map(({ id, name }): ModelMessage => ({
      role: 'tool',
      toolCallId: id,
      toolName: name,
      content: 20,
      isError: false,
    }));
    return { ...question, messages: [...question.messages, { role: 'assistant', text, toolCalls }, ...results] };
  }

  it('is asked by the loop, which runs its tool and tells its answer', async () => {
    const weather = functionTool({
      name: 'weather',
      description: 'The weather.',
      input: z.object({ city: z.string() }),
      execute: ({ city }) => ({ city, degrees: 20 }),
    });
    // This server streams words only: the loop takes a model that does not stream as well.
    const whole = { name: model.name, provider: model.provider, complete: model.complete.bind(model) };
    const agent = defineAgent({ name: 'weather_agent', model: whole, tools: [weather] });
    const messages: ModelMessage[] = [{ role: 'user', text: 'How is the weather in Paris?' }];
    const events = await collect(runAgent({ agent, messages, caller: { headers: {} } }));
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'message', 'done']);
    expect(ofType(events, 'tool_result')[0]?.content).toEqual({ city: 'Paris', degrees: 20 });
    expect(doneOf(events).answer).toBe('It is mild in Paris.');
  });

  it('calls a tool and answers with its result', async () => {
    await expect(model.complete(await afterTheTool())).resolves.toMatchObject({
      text: 'It is mild in Paris.',
      finishReason: 'stop',
      model: 'stock',
    });
  });

  it('streams the answer', async () => {
    const read = await readStream(model, await afterTheTool());
    expect([read.text, read.reply?.text]).toEqual(['It is mild in Paris.', 'It is mild in Paris.']);
  });

  it('fails, also inside a stream of status 200', async () => {
    const failing: ModelRequest = { ...question, messages: [{ role: 'user', text: 'fail' }] };
    await expect(model.complete(failing)).rejects.toMatchObject({ code: 'egress_unavailable' });
    expect((await readFailure(model, failing)).error).toMatchObject({ code: 'model_rejected', retryable: true });
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('mock-llm did not start');
}
