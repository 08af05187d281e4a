import { isInputRequiredResult, Server } from '@modelcontextprotocol/server';
import type { Logger } from '@nestjs/common';
import type { RequesterDecisions } from '../../approvals/index.js';
import type { OperationDispatcher } from '../../dispatch/index.js';
import type { Palette } from '../../palette/index.js';
import type { ResolvedServerOptions } from '../resolve-options.js';
import { callTool } from './call-tool.js';
import type { McpExchange } from './exchange.js';
import { instructionsOf } from './instructions.js';
import { listPage } from './list-page.js';
import { OutputSchemas } from './output-schemas.js';
import { promptOf, promptsOf } from './prompts.js';
import { logged, masked } from './protocol-refusal.js';
import { queryTools } from './query-tools.js';
import { readResource, resourcesOf } from './resources.js';
import { ToldTools } from './told-tools.js';

/** What a list tells caches: it is this caller's. */
const OF_THIS_CALLER = { ttlMs: 0, cacheScope: 'private' } as const;

/** A palette as an MCP server, whatever the transport. */
export class McpServing {
  readonly outputs: OutputSchemas;
  readonly #tools: ToldTools;
  readonly #hasQueries: boolean;

  /** @throws PaletteBootError `palette_unknown`, `mcp_schema_header`, `mcp_options_invalid` */
  constructor(
    readonly options: ResolvedServerOptions,
    readonly palette: Palette,
    readonly dispatcher: OperationDispatcher,
    readonly requesters: RequesterDecisions | undefined,
    readonly logger: Logger,
  ) {
    this.outputs = new OutputSchemas(options.outputSchemas);
    this.#tools = new ToldTools(palette, options);
    this.#hasQueries = queryTools(palette).length > 0;
  }

  /**
   * A server for one message over HTTP, or for one connection: it sees and calls what the exchange's caller may. What the
   * application fails with is in the log when this throws it: the protocol's own code tells of nothing but that it failed.
   */
  async open(exchange: McpExchange): Promise<Server> {
    try {
      return this.#serverOf(exchange, await this.palette.visibleTo(await exchange.caller()));
    } catch (error) {
      throw logged(this.logger, error);
    }
  }

  /** A server for one call or list of tools, and nothing else, of a client of that revision. Throws as `open`. */
  async openForTools(exchange: McpExchange, revision: string): Promise<Server> {
    try {
      const palette = await this.palette.visibleTo(await exchange.caller());
      const options = { capabilities: { tools: {} }, supportedProtocolVersions: [revision] };
      const server = new Server({ ...this.options.serverInfo }, options);
      this.#serveTools(server, exchange, palette);
      return server;
    } catch (error) {
      throw logged(this.logger, error);
    }
  }

  #serverOf(exchange: McpExchange, palette: Palette): Server {
    const instructions = instructionsOf(palette, this.options.instructions);
    const server = new Server(
      { ...this.options.serverInfo },
      {
        capabilities: { tools: {}, ...(this.#hasQueries && { resources: {}, prompts: {} }) },
        ...(instructions !== undefined && { instructions }),
      },
    );
    this.#serveTools(server, exchange, palette);
    if (this.#hasQueries) this.#serveQueries(server, palette);
    return server;
  }

  #serveTools(server: Server, exchange: McpExchange, palette: Palette): void {
    server.setRequestHandler(
      'tools/list',
      masked(this.logger, ({ params }) => {
        const { page, nextCursor } = this.#page(this.#tools.of(palette), params?.cursor);
        return { tools: page, ...nextCursor, ...OF_THIS_CALLER };
      }),
    );
    server.setRequestHandler(
      'tools/call',
      masked(this.logger, async (request, context) => {
        const result = await callTool(this, { request, context, server, exchange, palette });
        if (isInputRequiredResult(result)) return result;
        return server.projectCallToolResult(result, this.#tools.outputSchema(request.params.name));
      }),
    );
  }

  #serveQueries(server: Server, palette: Palette): void {
    server.setRequestHandler(
      'resources/list',
      masked(this.logger, ({ params }) => {
        const { page, nextCursor } = this.#page(resourcesOf(palette), params?.cursor);
        return { resources: page, ...nextCursor, ...OF_THIS_CALLER };
      }),
    );
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler(
      'resources/read',
      masked(this.logger, ({ params }) => ({ ...readResource(palette, params.uri), ...OF_THIS_CALLER })),
    );
    server.setRequestHandler(
      'prompts/list',
      masked(this.logger, ({ params }) => {
        const { page, nextCursor } = this.#page(promptsOf(palette), params?.cursor);
        return { prompts: page, ...nextCursor, ...OF_THIS_CALLER };
      }),
    );
    server.setRequestHandler(
      'prompts/get',
      masked(this.logger, ({ params }) => promptOf(palette, params.name, params.arguments ?? {})),
    );
  }

  #page<Entry>(entries: readonly Entry[], cursor: string | undefined) {
    const { page, nextCursor } = listPage(entries, cursor, this.options.pageSize);
    return { page: [...page], nextCursor: nextCursor === undefined ? {} : { nextCursor } };
  }
}
