import { PassThrough } from 'node:stream';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { OperationsModule, operationsUnder, type DispatchOptions, type PaletteOptions } from 'nestjs-palette';
import { serveMcpStdio, type McpStdioOptions, type McpStdioServer } from 'nestjs-palette/mcp';
import { bootApplication, type ApplicationOptions, type Platform } from '../../support/application.js';
import { SERVER_INFO } from './applications.js';
import { connectOver, type ClientKind, type TestClient, type User } from './clients.js';

export interface StdioServeOptions extends ApplicationOptions {
  readonly dispatch?: DispatchOptions;
  readonly palette?: Partial<PaletteOptions>;
}

/** Both ends of the pipes between a client and the server that it started. */
export interface Pipes {
  readonly toServer: PassThrough;
  readonly toClient: PassThrough;
  /** What the server wrote, line by line. */
  readonly lines: string[];
  readonly served: McpStdioServer;
}

/** An application whose operations are all in one palette, initialised and not listening. */
export function bootForStdio(
  platform: Platform,
  metadata: ModuleMetadata,
  { dispatch = {}, palette, ...options }: StdioServeOptions = {},
): Promise<INestApplication> {
  const imports = [
    ...(metadata.imports ?? []),
    OperationsModule.forRoot({ dispatch }),
    OperationsModule.forFeature({
      palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('')], ...palette }],
    }),
  ];
  return bootApplication(platform, { ...metadata, imports }, options);
}

/** Serves the palette `all` over pipes within this process. */
export function openPipes(app: INestApplication, options: Partial<McpStdioOptions> = {}): Pipes {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  let rest = '';
  toClient.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString('utf8')}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const streams = { input: toServer, output: toClient };
  const served = serveMcpStdio(app, { palette: 'all', serverInfo: SERVER_INFO, ...options, ...streams });
  return { toServer, toClient, lines, served };
}

/** Connects a client to such a server, which ends when the client does. */
export function connectOverPipes(kind: ClientKind, { toServer, toClient }: Pipes, user?: User): Promise<TestClient> {
  // Lines of JSON in, lines of JSON out: the protocol is the same from either end.
  return connectOver(kind, new StdioServerTransport(toClient, toServer), { user, end: () => toServer.end() });
}
