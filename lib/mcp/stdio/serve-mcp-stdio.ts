import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { RequesterDecisions } from '../../approvals/index.js';
import type { CallerContext } from '../../common/index.js';
import { OperationDispatcher } from '../../dispatch/index.js';
import { PaletteRegistry } from '../../palette/index.js';
import type { McpServerOptions } from '../mcp.options.js';
import { resolveServerOptions } from '../resolve-options.js';
import { McpServing } from '../server/mcp-serving.js';

export interface McpStdioOptions extends McpServerOptions {
  /**
   * On whose behalf the process runs: the headers that a request of theirs has. A function is asked for each call, so that a
   * token can be renewed; what is listed is what its first answer sees. Default: nobody, without headers.
   */
  readonly caller?: CallerContext | (() => CallerContext | Promise<CallerContext>);
  /** Default: the process's own. */
  readonly input?: Readable;
  /** Default: the process's own. */
  readonly output?: Writable;
}

export interface McpStdioServer {
  /** Settles when the client has closed its end, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves a palette to the one client that started this process. The application is initialised and need not listen; its
 * logger must not write to the same stream, see `StderrLogger`.
 *
 * @throws PaletteBootError `palette_unknown`, `mcp_schema_header`, `mcp_options_invalid`
 */
export function serveMcpStdio(app: INestApplicationContext, options: McpStdioOptions): McpStdioServer {
  const { caller = { headers: {} }, input = process.stdin, output = process.stdout } = options;
  const logger = new Logger('McpStdio');
  const palette = app.get(PaletteRegistry, { strict: false }).palette(options.palette);
  const dispatcher = app.get(OperationDispatcher, { strict: false });
  const requesters = requestersOf(app);
  const serving = new McpServing(resolveServerOptions(options), palette, dispatcher, requesters, logger);
  const exchange = { caller: typeof caller === 'function' ? caller : () => caller };
  const served = serveStdio(() => serving.open(exchange), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => logger.debug(error.message),
  });
  const ended = new Promise<void>((resolve) => input.once('close', resolve).once('end', resolve));
  let close: (() => void) | undefined;
  const closedHere = new Promise<void>((resolve) => (close = resolve));
  return {
    closed: Promise.race([ended, closedHere]),
    close: async () => {
      await served.close();
      close?.();
    },
  };
}

/** Undefined where the application keeps no approvals. An application itself exits where it is asked for what it has not. */
function requestersOf(app: INestApplicationContext): RequesterDecisions | undefined {
  try {
    return app.get(ModuleRef, { strict: false }).get(RequesterDecisions, { strict: false });
  } catch {
    return undefined;
  }
}
