import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface McpUpstream {
  readonly origin: string;
  readonly authorizations: (string | undefined)[];
  /** Takes a tool call out of the server's hands. */
  onToolCall: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

/** A real MCP server at `/api/mcp`, with one tool, `greet`. */
export async function startMcpUpstream(): Promise<McpUpstream> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: McpUpstream = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations: [],
    onToolCall: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    upstream.authorizations.push(request.headers.authorization);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString()) as { method?: string };
    if (message.method === 'tools/call' && upstream.onToolCall !== undefined) return upstream.onToolCall(response);
    const transport = new StreamableHTTPServerTransport({});
    await greeter().connect(transport as Transport);
    await transport.handleRequest(request, response, message);
  }
  return upstream;
}

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1.0.0' });
  server.registerTool('greet', { description: 'Greets.' }, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
}
