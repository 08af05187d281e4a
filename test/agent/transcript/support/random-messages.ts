import fc from 'fast-check';
import type { AssistantMessage, ModelMessage, ModelToolCall, ToolMessage, UserMessage } from 'nestjs-palette';

const text = fc.constantFrom('', ' ', '\n', 'a', 'Hello.', '🙂', 'Cut: \ud83d');
const id = fc.constantFrom('', ' ', 'a', 'b', 'c', 'a.b:0', '\ud83d', 'x'.repeat(65));
const name = fc.constantFrom('look', 'look', '', 'a b', 'n'.repeat(65), '🙂', '__proto__');
const value = fc.oneof(
  fc.constantFrom('', ' ', null, false, 0, '\ude42', { '\ud83d': ['\ud83d'] }),
  fc.jsonValue({ maxDepth: 1 }),
);

const toolCall: fc.Arbitrary<ModelToolCall> = fc.record(
  {
    id,
    name,
    arguments: fc.dictionary(fc.constantFrom('a', 'b'), value, { maxKeys: 2 }),
    fault: fc.constantFrom('not_json' as const, 'not_an_object' as const),
  },
  { requiredKeys: ['id', 'name', 'arguments'] },
);

const user: fc.Arbitrary<UserMessage> = fc.record({ role: fc.constant('user'), text });

const assistant: fc.Arbitrary<AssistantMessage> = fc.record(
  {
    role: fc.constant('assistant'),
    text,
    toolCalls: fc.array(toolCall, { maxLength: 3 }),
    providerState: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ format: 'anthropic-messages', blocks: [] })),
  },
  { requiredKeys: ['role', 'text', 'toolCalls'] },
);

const tool: fc.Arbitrary<ToolMessage> = fc.record({
  role: fc.constant('tool'),
  toolCallId: id,
  toolName: name,
  content: value,
  isError: fc.boolean(),
});

/** Messages of any kind in any order: few of them are a transcript. */
export const randomMessages: fc.Arbitrary<ModelMessage[]> = fc.array(
  fc.oneof<[fc.Arbitrary<ModelMessage>, fc.Arbitrary<ModelMessage>, fc.Arbitrary<ModelMessage>]>(user, assistant, tool),
  { maxLength: 12 },
);
