type Json = Readonly<Record<string, unknown>>;

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What OpenAI refuses about the `messages` of a chat completion, by its own reference. */
export function chatFaults(messages: readonly Json[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  messages.forEach((message, index) => {
    const { role, content } = message;
    if (role === 'tool') {
      const place = open.indexOf(String(message['tool_call_id']));
      if (place < 0) faults.push(`${index}: tool message without a preceding call`);
      else open.splice(place, 1);
      if (typeof content !== 'string') faults.push(`${index}: tool content is no text`);
      return;
    }
    if (open.length > 0) faults.push(`${index}: tool_call_ids without response: ${open.join()}`);
    open = [];
    if (role === 'assistant') open = assistantCalls(message, index, faults);
    else if (typeof content !== 'string' || content === '') faults.push(`${index}: empty content`);
  });
  if (open.length > 0) faults.push(`end: tool_call_ids without response: ${open.join()}`);
  return faults;
}

function assistantCalls({ content, tool_calls: told }: Json, index: number, faults: string[]): string[] {
  if (told === undefined && (typeof content !== 'string' || content === ''))
    faults.push(`${index}: content is missing`);
  if (Array.isArray(told) && told.length === 0) faults.push(`${index}: tool_calls is empty`);
  return ((told ?? []) as Json[]).map((call) => {
    const { name, arguments: args } = call['function'] as { name: string; arguments: string };
    if (call['type'] !== 'function' || !NAME.test(name)) faults.push(`${index}: name ${name}`);
    if (!isRecord(JSON.parse(args))) faults.push(`${index}: arguments ${args}`);
    if (typeof call['id'] !== 'string' || call['id'].trim() === '') faults.push(`${index}: id`);
    return String(call['id']);
  });
}

interface AnthropicMessage {
  readonly role: string;
  readonly content: readonly Json[];
}

/** What Anthropic refuses about `messages`, by its reference and by the errors that its users report. */
export function anthropicFaults(messages: readonly AnthropicMessage[]): string[] {
  const faults: string[] = [];
  if (messages[0]?.role !== 'user') faults.push('0: first message must use the "user" role');
  const known = new Set<unknown>();
  messages.forEach(({ role, content }, index) => {
    const report = (what: string): void => void faults.push(`${index}: ${what}`);
    if (messages[index - 1]?.role === role) report('roles must alternate');
    if (content.length === 0) report('content must be non-empty');
    const before = index === 0 ? [] : idsOf(messages[index - 1]?.content ?? [], 'tool_use', 'id');
    const answers = idsOf(content, 'tool_result', 'tool_use_id');
    if (before.toSorted().join() !== answers.toSorted().join()) report(`results ${answers.join()} of ${before.join()}`);
    if (content.slice(0, answers.length).some(({ type }) => type !== 'tool_result')) report('results must come first');
    if (role === 'assistant' && content.some(({ type }) => type === 'tool_result')) report('result of the assistant');
    for (const block of content) faults.push(...blockFaults(block, known).map((what) => `${index}: ${what}`));
  });
  const last = messages.at(-1)?.content ?? [];
  if (idsOf(last, 'tool_use', 'id').length > 0) faults.push('end: tool_use without tool_result');
  return faults;
}

function blockFaults(block: Json, known: Set<unknown>): string[] {
  const { type, id, name, input, text, content } = block;
  const faults: string[] = [];
  if (type === 'text' && (typeof text !== 'string' || text.trim() === '')) faults.push('text must be non-whitespace');
  if (type === 'tool_use') {
    if (known.has(id)) faults.push('tool_use ids must be unique');
    if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) faults.push(`tool_use.id ${String(id)}`);
    if (!NAME.test(String(name))) faults.push(`tool_use.name ${String(name)}`);
    if (!isRecord(input)) faults.push('tool_use.input must be an object');
    known.add(id);
  }
  if (type === 'tool_result' && block['is_error'] === true && String(content).trim() === '') {
    faults.push('content cannot be empty if is_error is true');
  }
  return faults;
}

function idsOf(blocks: readonly Json[], type: string, field: string): string[] {
  return blocks.flatMap((block) => (block['type'] === type ? [String(block[field])] : []));
}

/** Half of a surrogate pair is escaped by JSON.stringify; strict parsers refuse the whole body for it. */
export function bodyFaults(body: unknown): string[] {
  const text = JSON.stringify(body).replaceAll('\\\\', '');
  return /\\ud[89a-f]/i.test(text) ? ['the body is no JSON: half of a surrogate pair'] : [];
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
