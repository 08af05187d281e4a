import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent, RunContext, Runner, setTracingDisabled, tool as agentsTool, Usage, type Model } from '@openai/agents';
import { generateText, stepCountIs, streamText, tool as sdkTool, type ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

/** The same ten-step script for everybody: nine calls of one tool, and an answer. */
export const STEPS = 10;
export const QUESTION = 'What is in the nine boxes?';
export const INPUT = z.object({ box: z.number().int() });
export const lookUp = ({ box }: z.infer<typeof INPUT>): unknown => ({ box, holds: 'a note' });

export type Run = () => Promise<string>;

/** OpenAI Agents JS with a model that takes no time. */
export function agentsJs(): Run {
  setTracingDisabled(true);
  const look = agentsTool({
    name: 'look_up',
    description: 'Looks into a box.',
    parameters: INPUT,
    execute: async (input) => lookUp(input),
  });
  const runner = new Runner({ tracingDisabled: true });
  return async () => {
    const agent = new Agent({ name: 'helper', instructions: 'Look.', model: agentsModel(), tools: [look] });
    const result = await runner.run(agent, QUESTION, { maxTurns: STEPS + 1, context: new RunContext() });
    return String(result.finalOutput);
  };
}

function agentsModel(): Model {
  let step = 0;
  return {
    getResponse: async () => {
      step++;
      const usage = new Usage({ inputTokens: 10, outputTokens: 5, totalTokens: 15, requests: 1 });
      if (step >= STEPS) {
        const content = [{ type: 'output_text' as const, text: 'Notes.' }];
        return { usage, output: [{ type: 'message', role: 'assistant', status: 'completed', content }] };
      }
      const call = { callId: `call_${step}`, name: 'look_up', arguments: JSON.stringify({ box: step }) };
      return { usage, output: [{ type: 'function_call', status: 'completed', ...call }] };
    },
    getStreamedResponse: () => {
      throw new Error('not used');
    },
  };
}

/** AI SDK 6 with a model that takes no time. */
export function aiSdk(history: readonly ModelMessage[] = [], steps = STEPS): Run {
  const look = sdkTool({
    description: 'Looks into a box.',
    inputSchema: INPUT,
    execute: async (input) => lookUp(input),
  });
  return async () => {
    const result = await generateText({
      model: aiSdkModel(steps),
      system: 'Look.',
      messages: [...history, { role: 'user', content: QUESTION }],
      tools: { look_up: look },
      stopWhen: stepCountIs(steps + 1),
    });
    return result.text;
  };
}

function aiSdkModel(steps: number): MockLanguageModelV3 {
  let step = 0;
  const inputTokens = { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens, outputTokens: { total: 5, text: 5, reasoning: 0 } };
  return new MockLanguageModelV3({
    doGenerate: async () => {
      step++;
      const isLast = step >= steps;
      const call = { toolCallId: `call_${step}`, toolName: 'look_up', input: JSON.stringify({ box: step }) };
      return {
        content: isLast ? [{ type: 'text', text: 'Notes.' }] : [{ type: 'tool-call', ...call }],
        finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

/** AI SDK 6 reading a stream of an OpenAI-compatible server. */
export function aiSdkStream(baseURL: string): Run {
  const provider = createOpenAICompatible({ name: 'local', baseURL: `${baseURL}/v1` });
  return async () => {
    const result = streamText({ model: provider('any'), prompt: QUESTION });
    let text = '';
    for await (const delta of result.textStream) text += delta;
    return text;
  };
}
