import type { Model } from 'nestjs-palette';
import { anthropicFaults, chatFaults } from '../../transcript/support/wire-rules.js';
import type { Answer } from '../../../egress/support/upstream.js';
import { chatEvents, streamed, typedEvents, type ModelApp } from '../../models/support/model-app.js';

type Json = Readonly<Record<string, unknown>>;

export interface WireCall {
  readonly id: string;
  readonly name: string;
}

/** How one provider says things on the wire, and what it refuses. */
export interface Provider {
  readonly name: string;
  model(app: ModelApp): Model;
  /** A reply that calls these, after words where there are any. */
  calls(calls: readonly WireCall[], text?: string): Answer;
  says(text: string): Answer;
  /** What it would refuse about a request. */
  faults(body: Json): string[];
  /** The tools that a request tells, by name. */
  tools(body: Json): string[];
  system(body: Json): unknown;
  /** The results that a request tells: of which call, and what. */
  results(body: Json): [id: string, content: string][];
}

const chatReply = (delta: object, reason: string): Answer =>
  streamed(chatEvents({ choices: [{ index: 0, delta, finish_reason: reason }] }));

export const chat: Provider = {
  name: 'chat completions',
  model: (app) => app.chat(),
  calls: (calls, text) =>
    chatReply(
      {
        ...(text !== undefined && { content: text }),
        tool_calls: calls.map(({ id, name }, index) => ({
          index,
          id,
          type: 'function',
          function: { name, arguments: '{}' },
        })),
      },
      'tool_calls',
    ),
  says: (text) => chatReply({ content: text }, 'stop'),
  faults: (body) => chatFaults(body['messages'] as Json[]),
  tools: (body) => ((body['tools'] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name),
  system: (body) => (body['messages'] as Json[]).find(({ role }) => role === 'system')?.['content'],
  results: (body) =>
    (body['messages'] as Json[])
      .filter(({ role }) => role === 'tool')
      .map((message) => [String(message['tool_call_id']), String(message['content'])]),
};

const blocksOf = (body: Json): Json[] => (body['messages'] as { content: Json[] }[]).flatMap(({ content }) => content);

function anthropicReply(blocks: readonly Json[], reason: string): Answer {
  return streamed(
    typedEvents(
      { type: 'message_start', message: { model: 'claude-x', content: [], usage: {} } } as { type: string },
      ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
      { type: 'message_delta', delta: { stop_reason: reason }, usage: {} } as { type: string },
      { type: 'message_stop' },
    ),
  );
}

/** With the two rules about whole requests that its users run into after handoffs. */
function requestFaults(body: Json): string[] {
  const messages = body['messages'] as { role: string; content: Json[] }[];
  const faults = anthropicFaults(messages);
  const isCalled = blocksOf(body).some(({ type }) => type === 'tool_use' || type === 'tool_result');
  if (isCalled && body['tools'] === undefined) faults.push('requests with tool_use or tool_result must define tools');
  if (messages.at(-1)?.role !== 'user') faults.push('the conversation must end with a user message');
  return faults;
}

export const anthropic: Provider = {
  name: 'Anthropic',
  model: (app) => app.anthropic(),
  calls: (calls, text) =>
    anthropicReply(
      [
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} })),
      ],
      'tool_use',
    ),
  says: (text) => anthropicReply([{ type: 'text', text }], 'end_turn'),
  faults: requestFaults,
  tools: (body) => ((body['tools'] ?? []) as { name: string }[]).map(({ name }) => name),
  system: (body) => body['system'],
  results: (body) =>
    blocksOf(body)
      .filter(({ type }) => type === 'tool_result')
      .map((block) => [String(block['tool_use_id']), String(block['content'])]),
};

/** Answers each request with the next of these; one too many is refused. */
export function inOrder(...answers: readonly Answer[]): Answer {
  const left = [...answers];
  return (response, request) => {
    const next = left.shift();
    if (next !== undefined) return next(response, request);
    response.writeHead(400);
    response.end('{}');
  };
}
