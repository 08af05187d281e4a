import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

export interface Visit {
  /** The revision of the protocol that was agreed on. */
  readonly revision: string | undefined;
  readonly tools: readonly string[];
  readonly instructions: string | undefined;
  readonly list: CallToolResult;
  readonly aggregate: CallToolResult;
}

/** What a stock client does with an endpoint: it connects, lists the tools and calls two of them. */
export async function visit(url: string, token: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Visit> {
  const client = new Client({ name: 'sample', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    const { tools } = await client.listTools();
    const list = await client.callTool({
      name: 'notes__list',
      arguments: { filters: { $values: { category: 'home' } } },
    });
    const aggregate = await client.callTool({
      name: 'notes__aggregate',
      arguments: { $groups: { category: 'category' }, $computed: { notes: { $count: null } } },
    });
    const revision = client.getNegotiatedProtocolVersion();
    return { revision, tools: tools.map(({ name }) => name), instructions: client.getInstructions(), list, aggregate };
  } finally {
    await client.close();
  }
}
