import type { AssistantMessage, ModelMessage, ToolMessage } from '../model/index.js';
import { toolContent } from '../model/request/tool-content.js';
import { DIALECTS, type DialectRules, type TranscriptDialect } from './dialects.js';
import { isWellFormed } from './well-formed.js';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * What a provider would refuse about the messages of a request; empty where nothing is. Every provider: each call of an assistant
 * message is answered, once, before anybody else speaks; nothing else is answered; nobody says nothing; a call has an id that no
 * other call of its message has, and a name of `^[a-zA-Z0-9_-]{1,64}$`; no text has half of a surrogate pair, which is no JSON to
 * strict parsers. Each dialect: what `DialectRules` says.
 *
 * That a conversation ends with what the assistant said is not judged: some models go on with it, others refuse it.
 */
export function transcriptFaults(messages: readonly ModelMessage[], dialect: TranscriptDialect): string[] {
  const faults: string[] = messages.length === 0 ? ['there is no message'] : [];
  const rules = DIALECTS[dialect];
  const known = new Set<string>();
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const report = (what: string): void => void faults.push(`message ${index} (${message.role}) ${what}`);
    if (!isWellFormed(sent(message))) report('has a text with half of a surrogate pair');
    if (index === 0 && rules.beginsWithUser && message.role !== 'user') report('comes before the user');
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) report(`answers "${message.toolCallId}", which no open call has`);
      if (rules.errorsHaveWords && isBlankError(message)) report('is an error without words');
      return;
    }
    if (open.size > 0) report(`comes before ${listed(open)} was answered`);
    open = new Set();
    if (message.role === 'user' && message.text.trim() === '') report('says nothing');
    if (message.role === 'assistant') open = checkedCalls(message, { rules, known, report });
  });
  if (open.size > 0) faults.push(`${listed(open)} is never answered`);
  return faults;
}

/** What of a message goes into a request, but for what its provider wants back unchanged. */
function sent(message: ModelMessage): unknown {
  if (message.role === 'user') return message.text;
  if (message.role === 'tool') return [message.toolCallId, message.content];
  return [message.text, message.toolCalls];
}

interface CallContext {
  readonly rules: DialectRules;
  /** The ids of earlier messages. */
  readonly known: Set<string>;
  report(what: string): void;
}

function checkedCalls({ text, toolCalls }: AssistantMessage, { rules, known, report }: CallContext): Set<string> {
  if (text.trim() === '' && toolCalls.length === 0) report('has neither text nor tool calls');
  const ids = new Set<string>();
  for (const { id, name } of toolCalls) {
    if (id.trim() === '') report('has a call without an id');
    if (id.length > rules.maxIdLength) report(`has a call whose id is longer than ${rules.maxIdLength}`);
    if (ids.has(id)) report(`has two calls of one id: "${id}"`);
    if (rules.idsAreUniqueIn === 'transcript' && known.has(id)) report(`has a call of the id "${id}" as one before it`);
    if (!TOOL_NAME.test(name)) report(`has a call of a name that no tool can have: ${JSON.stringify(name)}`);
    ids.add(id);
  }
  for (const id of ids) known.add(id);
  return ids;
}

function isBlankError({ content, isError }: ToolMessage): boolean {
  return isError && toolContent(content).trim() === '';
}

function listed(ids: ReadonlySet<string>): string {
  return [...ids].map((id) => `call "${id}"`).join(', ');
}
