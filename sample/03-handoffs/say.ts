import type { Reply } from './talk/talk.controller.js';

/** Says something in a conversation, over HTTP. */
export async function say(url: string, token: string, conversation: string, text: string): Promise<Reply> {
  const response = await fetch(`${url}/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!response.ok) throw new Error(`"${text}" was answered with ${response.status}`);
  return (await response.json()) as Reply;
}

/** A reply for people: who handed over to whom, what was called, what was answered. */
export function renderReply(text: string, { agent, answer, events }: Reply): string[] {
  const steps = events.flatMap((event) => {
    if (event.type === 'handoff') return [`  ${event.from} hands over to ${event.to}`];
    if (event.type !== 'tool_result' || event.toolName.startsWith('transfer_to_')) return [];
    return [`  ${event.agent} calls ${event.toolName}: ${JSON.stringify(event.content)}`];
  });
  return ['', text, ...steps, `  ${agent}: ${answer}`];
}
