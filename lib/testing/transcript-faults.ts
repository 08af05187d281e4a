import type { AssistantMessage, ModelRequest } from '../agent/model/index.js';

/**
 * What is wrong with the messages of a request by the rules that every provider has: each call of an assistant message is
 * answered, once, before anybody else speaks; nothing else is answered; nobody says nothing. Empty where nothing is.
 */
export function transcriptFaults({ messages }: Pick<ModelRequest, 'messages'>): string[] {
  const faults: string[] = messages.length === 0 ? ['there is no message'] : [];
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const report = (what: string): void => void faults.push(`message ${index} (${message.role}) ${what}`);
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) report(`answers "${message.toolCallId}", which no open call has`);
      return;
    }
    if (open.size > 0) report(`comes before ${listed(open)} was answered`);
    open = new Set(message.role === 'assistant' ? callIds(message, report) : []);
  });
  if (open.size > 0) faults.push(`${listed(open)} is never answered`);
  return faults;
}

function callIds(message: AssistantMessage, report: (what: string) => void): string[] {
  if (message.text === '' && message.toolCalls.length === 0) report('has neither text nor tool calls');
  const ids = message.toolCalls.map(({ id }) => id);
  if (ids.includes('')) report('has a call without an id');
  if (new Set(ids).size < ids.length) report('has two calls of one id');
  return ids;
}

function listed(ids: ReadonlySet<string>): string {
  return [...ids].map((id) => `call "${id}"`).join(', ');
}
