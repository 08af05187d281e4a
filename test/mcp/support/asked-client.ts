import { Agent, fetch } from 'undici';

/** A message as it came over the wire. */
export interface WireMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** One POST of a 2025-era client, and the messages of its answer as they come. */
export interface OpenPost {
  readonly status: number;
  readonly session: string | undefined;
  /** The next message of the stream; undefined where it has ended. */
  next(): Promise<WireMessage | undefined>;
  hangUp(): Promise<void>;
}

/** Sends a message of the 2025 era, and does not wait for the end of its answer. */
export async function post(url: string, message: object, headers: Record<string, string>): Promise<OpenPost> {
  const dispatcher = new Agent();
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    dispatcher,
  });
  const messages = messagesOf(answer.body as AsyncIterable<Uint8Array> | null);
  return {
    status: answer.status,
    session: answer.headers.get('mcp-session-id') ?? undefined,
    next: async () => (await messages.next()).value as WireMessage | undefined,
    hangUp: () => dispatcher.destroy(),
  };
}

async function* messagesOf(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<WireMessage> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as WireMessage;
    }
  }
}

/** Opens a session. @returns its id */
export async function initialize(url: string, capabilities: object, headers: Record<string, string>): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } };
  const { session, next } = await post(url, { id: 1, method: 'initialize', params }, headers);
  await next();
  if (session === undefined) throw new Error('No session was opened.');
  return session;
}
