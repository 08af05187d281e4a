import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
  type Transport,
} from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Agent, fetch as undiciFetch } from 'undici';

/** The clients that every guarantee is tested with: both majors, and both eras of the protocol. */
export const CLIENTS = ['2026-07-28, client 2', '2025-11-25, client 2', '2025-11-25, client 1'] as const;
export type ClientKind = (typeof CLIENTS)[number];

export interface CallOutcome {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: unknown;
  /** Of a refusal. */
  readonly code: string | undefined;
  /** All that is told of a refusal. */
  readonly refusal: { readonly code: string; readonly message: string; readonly details?: unknown } | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

/** What a client's user says when asked. */
export type UserAnswer = 'accept' | 'decline' | 'cancel';

/** A client's user: is shown a message, and answers when it likes. */
export type User = (message: string) => UserAnswer | Promise<UserAnswer>;

/** A public client, connected; what differs between the majors is levelled. */
export interface TestClient {
  readonly client: Client2;
  readonly instructions: string | undefined;
  /** All tools, page by page. */
  tools(): Promise<readonly ListedTool[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallOutcome>;
  close(): Promise<void>;
}

export type ListedTool = Awaited<ReturnType<Client2['listTools']>>['tools'][number];

const open: (() => Promise<void>)[] = [];

/** Ends all clients; call it in `afterEach`, before the applications are closed. */
export async function closeClients(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}

/**
 * Connects a client to an endpoint.
 * @param headers of each request from now on; the object is read again for each, so that a test can change them
 * @param user whom the client can ask; without one it says that it can ask nobody
 */
export async function connect(
  kind: ClientKind,
  url: string,
  headers: Record<string, string> = {},
  user?: User,
): Promise<TestClient> {
  // Connections of its own: those of the process's pool outlive the client, and a server waits for them when it closes.
  const dispatcher = new Agent();
  const fetchWithHeaders = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const merged = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) merged.set(name, value);
    const request = { ...init, headers: Object.fromEntries(merged), dispatcher } as never;
    return undiciFetch(input as string, request) as unknown as Promise<Response>;
  };
  const transport = new (kind.endsWith('client 1') ? Transport1 : Transport2)(new URL(url), {
    fetch: fetchWithHeaders,
  });
  return connectOver(kind, transport as Transport, { user, end: () => dispatcher.destroy() });
}

/**
 * Connects a client over a transport.
 * @param end lets go of what is beneath the transport
 */
export async function connectOver(
  kind: ClientKind,
  transport: Transport,
  { user, end }: { readonly user?: User | undefined; readonly end: () => unknown },
): Promise<TestClient> {
  const client = makeClient(kind, user);
  const revision = toldRevision(transport);
  open.push(async () => {
    await client.close();
    await end();
  });
  await client.connect(transport);
  // A client that had fallen back to the other era would make a test of one era a second test of the other.
  const spoken = kind.endsWith('client 1') ? revision() : client.getNegotiatedProtocolVersion();
  if (spoken === undefined || !kind.startsWith(`${spoken},`)) throw new Error(`"${kind}" speaks ${String(spoken)}.`);
  return levelled(client, kind);
}

/** What revision a client tells its transport to be of; client 1 tells nobody else. */
function toldRevision(transport: Transport): () => string | undefined {
  const told = transport.setProtocolVersion?.bind(transport);
  let revision: string | undefined;
  transport.setProtocolVersion = (version) => {
    revision = version;
    told?.(version);
  };
  return () => revision;
}

/** A client that is not connected, pinned to its era. */
export function makeClient(kind: ClientKind, user?: User): Client2 {
  const info = { name: 'test', version: '1.0.0' };
  const capabilities = user === undefined ? {} : { elicitation: {} };
  const answer = async ({ params }: { params: { message: string } }) => {
    const action = (await user?.(params.message)) ?? 'cancel';
    return { action, ...(action === 'accept' && { content: {} }) };
  };
  if (kind === '2025-11-25, client 1') {
    const client = new Client1(info, { capabilities });
    if (user !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    return client as unknown as Client2;
  }
  const mode = kind.startsWith('2026') ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client2(info, { capabilities, versionNegotiation: { mode } });
  if (user !== undefined) client.setRequestHandler('elicitation/create', answer);
  return client;
}

function levelled(client: Client2, kind: ClientKind): TestClient {
  return {
    client,
    instructions: client.getInstructions(),
    tools: async () => {
      const tools: ListedTool[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    call: async (name, args = {}, options = {}) => {
      const call = client.callTool.bind(client) as (
        ...parameters: unknown[]
      ) => Promise<Awaited<ReturnType<Client2['callTool']>>>;
      const params = { name, arguments: args };
      const result = await (kind.endsWith('client 1') ? call(params, undefined, options) : call(params, options));
      const [first] = result.content;
      const text = first?.type === 'text' ? first.text : '';
      const isError = result.isError === true;
      const refusal = isError ? (JSON.parse(text) as NonNullable<CallOutcome['refusal']>) : undefined;
      return { isError, text, structured: result.structuredContent, code: refusal?.code, refusal };
    },
    close: () => client.close(),
  };
}
