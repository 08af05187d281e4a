import { chatEvents } from './model-app.js';

/** One way in which an endpoint streams calls, in the shape that it has there, and what it means. */
export interface Deviation {
  readonly name: string;
  readonly events: string;
  readonly calls: readonly ExpectedCall[];
  readonly text?: string;
  readonly reasoning?: string;
}

export interface ExpectedCall {
  /** Left out where it is ours. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly fault?: string;
}

interface WireFunction {
  readonly name?: string | null;
  readonly arguments?: unknown;
}

interface WireCall {
  readonly index?: number;
  readonly id?: string | null;
  readonly type?: string;
  readonly function?: WireFunction;
}

const weather = (args: unknown = ''): WireFunction => ({ name: 'weather', arguments: args });
const piece = (args: unknown): WireFunction => ({ arguments: args });

/** A chunk in the envelope that its server writes around it. */
const ENVELOPES = {
  openai: { id: 'chatcmpl-B1', object: 'chat.completion.chunk', model: 'gpt-5-mini', system_fingerprint: 'fp_1' },
  vllm: { id: 'chatcmpl-9f', object: 'chat.completion.chunk', model: 'Qwen/Qwen3-32B' },
  ollama: { id: 'chatcmpl-12', object: 'chat.completion.chunk', model: 'qwen3:8b', system_fingerprint: 'fp_ollama' },
  llamaCpp: { id: 'chatcmpl-xY', object: 'chat.completion.chunk', model: 'gpt-oss', created: 1_764_000_000 },
  lmStudio: { id: 'chatcmpl-ab', object: 'chat.completion.chunk', model: 'qwen2.5-7b-instruct' },
} as const;

type Server = keyof typeof ENVELOPES;

function chunk(server: Server, delta: unknown, finishReason: string | null = null): unknown {
  return { ...ENVELOPES[server], choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] };
}

/** One delta a list of entries, then the end. */
function calling(
  server: Server,
  deltas: readonly (readonly WireCall[])[],
  end: unknown = {},
  reason = 'tool_calls',
): string {
  const first = chunk(server, { role: 'assistant', content: null });
  const middle = deltas.map((entries) => chunk(server, { tool_calls: entries }));
  return chatEvents(first, ...middle, chunk(server, end, reason));
}

const PARIS = { city: 'Paris' };
const ROME = { city: 'Rome' };
const text = (value: unknown): string => JSON.stringify(value);

export const DEVIATIONS: readonly Deviation[] = [
  {
    name: 'OpenAI: id and name first, arguments in pieces by index, two calls side by side',
    events: calling('openai', [
      [{ index: 0, id: 'call_a', type: 'function', function: weather() }],
      [{ index: 0, function: piece('{"ci') }],
      [{ index: 0, function: piece('ty":"Paris"}') }],
      [{ index: 1, id: 'call_b', type: 'function', function: weather() }],
      [{ index: 1, function: piece('{"city":"Rome"}') }],
    ]),
    calls: [
      { id: 'call_a', name: 'weather', arguments: PARIS },
      { id: 'call_b', name: 'weather', arguments: ROME },
    ],
  },
  {
    name: 'Ollama: no id in any delta',
    events: calling('ollama', [[{ index: 0, function: weather() }], [{ index: 0, function: piece(text(PARIS)) }]]),
    calls: [{ name: 'weather', arguments: PARIS }],
  },
  {
    name: 'LM Studio: an empty id in the deltas that go on',
    events: calling('lmStudio', [
      [{ index: 0, id: 'call_a', function: weather() }],
      [{ index: 0, id: '', function: piece('{"city":') }],
      [{ index: 0, id: ' ', function: piece('"Paris"}') }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'id in one delta, name in the next',
    events: calling('openai', [
      [{ index: 0, id: 'call_a', type: 'function' }],
      [{ index: 0, function: weather() }],
      [{ index: 0, function: piece(text(PARIS)) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'name in one delta, id in the next',
    events: calling('openai', [
      [{ index: 0, function: weather() }],
      [{ index: 0, id: 'call_a', function: piece(text(PARIS)) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'the first index is 1, since 0 was its reasoning',
    events: calling('openai', [
      [{ index: 1, id: 'call_a', function: weather() }],
      [{ index: 1, function: piece(text(PARIS)) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'vLLM: the name again in each delta',
    events: calling('vllm', [
      [{ index: 0, id: 'call_a', function: weather() }],
      [{ index: 0, function: weather('{"city":') }],
      [{ index: 0, id: 'call_a', function: weather('"Paris"}') }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'vLLM: another id in each delta',
    events: calling('vllm', [
      [{ index: 0, id: 'tool-1', function: weather() }],
      [{ index: 0, id: 'tool-2', function: piece('{"city":') }],
      [{ index: 0, id: 'tool-3', function: piece('"Paris"}') }],
    ]),
    calls: [{ id: 'tool-1', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'Ollama: every call with index 0, told apart by id',
    events: calling('ollama', [
      [{ index: 0, id: 'call_a', function: weather(text(PARIS)) }],
      [{ index: 0, id: 'call_b', function: weather(text(ROME)) }],
    ]),
    calls: [
      { id: 'call_a', name: 'weather', arguments: PARIS },
      { id: 'call_b', name: 'weather', arguments: ROME },
    ],
  },
  {
    name: 'every call with index 0 and no id, told apart by name',
    events: calling('ollama', [
      [{ index: 0, function: { name: 'read', arguments: '{"path":"p0"}' } }],
      [{ index: 0, function: { name: 'write', arguments: '{"path":"p1"}' } }],
      [{ index: 0, function: { name: 'read', arguments: '{"path":"p2"}' } }],
    ]),
    calls: [
      { name: 'read', arguments: { path: 'p0' } },
      { name: 'write', arguments: { path: 'p1' } },
      { name: 'read', arguments: { path: 'p2' } },
    ],
  },
  {
    name: 'one delta with two calls, no index and no id',
    events: calling('ollama', [[{ function: weather(text(PARIS)) }, { function: weather(text(ROME)) }]]),
    calls: [
      { name: 'weather', arguments: PARIS },
      { name: 'weather', arguments: ROME },
    ],
  },
  {
    name: 'pieces of two calls by id alone, one among the other',
    events: calling('lmStudio', [
      [{ id: 'call_a', function: weather() }],
      [{ id: 'call_b', function: weather() }],
      [{ id: 'call_a', function: piece(text(PARIS)) }],
      [{ id: 'call_b', function: piece(text(ROME)) }],
    ]),
    calls: [
      { id: 'call_a', name: 'weather', arguments: PARIS },
      { id: 'call_b', name: 'weather', arguments: ROME },
    ],
  },
  {
    name: 'an index once, and pieces without one after it',
    events: calling('lmStudio', [[{ index: 7, function: weather() }], [{ function: piece(text(PARIS)) }]]),
    calls: [{ name: 'weather', arguments: PARIS }],
  },
  {
    name: 'pieces with an index after a beginning without one',
    events: calling('lmStudio', [[{ function: weather() }], [{ index: 0, function: piece(text(PARIS)) }]]),
    calls: [{ name: 'weather', arguments: PARIS }],
  },
  {
    name: 'arguments as an object',
    events: calling('ollama', [[{ index: 0, id: 'call_a', function: weather(PARIS) }]]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'two payloads of arguments, {} and then the real one',
    events: calling('lmStudio', [
      [{ index: 0, id: 'call_a', function: weather('{}') }],
      [{ index: 0, function: piece('{"city":') }],
      [{ index: 0, function: piece('"Paris"}') }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'two payloads of arguments as objects, {} and then the real one',
    events: calling('lmStudio', [
      [{ index: 0, id: 'call_a', function: weather({}) }],
      [{ index: 0, function: piece(PARIS) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'an index that never gets a name',
    events: calling('openai', [
      [{ index: 0, id: '', function: { name: '', arguments: '{}' } }],
      [{ index: 1, id: 'call_a', function: weather(text(PARIS)) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'arguments under an index of their own: the call without any is not run with none',
    events: calling('openai', [
      [{ index: 0, id: 'call_a', function: weather() }],
      [{ index: 1, function: piece(text(PARIS)) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: {}, fault: 'not_json' }],
  },
  {
    name: 'the payload twice: no JSON object, and not two calls',
    events: calling('vllm', [
      [{ index: 0, id: 'call_a', function: weather(text(PARIS)) }],
      [{ index: 0, id: 'call_a', function: weather(text(PARIS)) }],
    ]),
    calls: [{ id: 'call_a', name: 'weather', arguments: {}, fault: 'not_json' }],
  },
  {
    name: 'calls that end with stop',
    events: calling('lmStudio', [[{ index: 0, id: 'call_a', function: weather(text(PARIS)) }]], {}, 'stop'),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
  },
  {
    name: 'llama.cpp: the reason beside the last call, reasoning_content before it',
    events: chatEvents(
      chunk('llamaCpp', { role: 'assistant', content: null }),
      chunk('llamaCpp', { reasoning_content: 'Where? ' }),
      chunk('llamaCpp', { reasoning_content: 'Paris.' }),
      chunk('llamaCpp', { tool_calls: [{ index: 0, id: 'call_a', function: weather(text(PARIS)) }] }, 'tool_calls'),
    ),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
    reasoning: 'Where? Paris.',
  },
  {
    name: 'vLLM: the same reasoning in both of its fields',
    events: chatEvents(
      chunk('vllm', { role: 'assistant', content: '', reasoning: 'Hm.', reasoning_content: 'Hm.' }),
      chunk('vllm', { content: 'Mild.', tool_calls: [] }, 'stop'),
    ),
    calls: [],
    text: 'Mild.',
    reasoning: 'Hm.',
  },
  {
    name: 'tool_calls: null and [], error: null, an empty reason, blank data',
    events:
      `data: \n\n` +
      chatEvents(
        {
          ...ENVELOPES.lmStudio,
          error: null,
          choices: [{ index: 0, delta: { content: 'Mi', tool_calls: null }, finish_reason: '' }],
        },
        chunk('lmStudio', { content: 'ld.', tool_calls: [] }, 'stop'),
      ),
    calls: [],
    text: 'Mild.',
  },
  {
    name: 'a reason of tool_calls with words and no call',
    events: chatEvents(chunk('vllm', { content: 'Mild.', tool_calls: [] }), chunk('vllm', {}, 'tool_calls')),
    calls: [],
    text: 'Mild.',
  },
  {
    name: 'one event that holds the whole',
    events: chatEvents({
      ...ENVELOPES.lmStudio,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Let me see.',
            tool_calls: [{ id: 'call_a', function: weather(text(PARIS)) }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
    calls: [{ id: 'call_a', name: 'weather', arguments: PARIS }],
    text: 'Let me see.',
  },
  {
    name: 'content in parts, one of them a thought',
    events: chatEvents(
      chunk('openai', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      chunk('openai', { content: [{ type: 'text', text: 'Mild.' }] }, 'stop'),
    ),
    calls: [],
    text: 'Mild.',
    reasoning: 'Hm.',
  },
];
