import { createServer, type Server as HttpServer } from 'node:http';
import { Body, Controller, HttpCode, Module, Post, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createMcpHandler, Server, type Tool as ToldTool } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { IsInt, IsString } from 'class-validator';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { Pool } from 'undici';
import { z } from 'zod';
import { manyOperations } from './many-operations.js';
import { measure, microsecondsPerCall, type BenchRow } from './measure.js';
import { baseUrl, listening, type Platform } from './platforms.js';

const NOTE = { title: 'A note', priority: 2 };
const SERVER_INFO = { name: 'bench', version: '1.0.0' };

class NoteDto {
  @IsString() title!: string;
  @IsInt() priority!: number;
}

@Controller('notes')
class NotesController {
  @Operation({ name: 'create_note', kind: 'query', description: 'Create a note.' })
  @Post()
  @HttpCode(200)
  create(@Body() note: NoteDto): unknown {
    return { id: '7', ...note };
  }
}

@McpController()
class McpNotesController {
  @Tool({
    name: 'create_note',
    description: 'Create a note.',
    parameters: z.object({ title: z.string(), priority: z.number().int() }),
  })
  create(@Payload() note: object): unknown {
    return answerOf(note);
  }
}

function answerOf(note: object) {
  const answer = { id: '7', ...note };
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }], structuredContent: answer };
}

/** `tools/call` and `tools/list` over HTTP against the same tool of MCP-Nest, and of a bare SDK server. */
export async function* mcp(): AsyncGenerator<BenchRow> {
  for (const platform of ['express', 'fastify'] as const) {
    const ours = await startOurs(platform, NotesController);
    const nest = await startMcpNest(platform);
    const bare = await startBare();
    try {
      yield await callsAgainst(platform, 'MCP-Nest', 1, ours, nest);
      yield await callsAgainst(platform, 'a bare SDK server', 3, ours, bare);
    } finally {
      for (const side of [ours, nest, bare]) await side.close();
    }
  }
  yield await lists();
}

/** A server, and a client's connection to it. */
interface Side {
  call(): Promise<unknown>;
  list(): Promise<unknown>;
  close(): Promise<void>;
}

function callsAgainst(platform: Platform, whom: string, maxRatio: number, ours: Side, other: Side): Promise<BenchRow> {
  return measure({
    bench: 'mcp',
    row: `${platform}: tools/call against ${whom}`,
    unit: 'us/call',
    maxRatio,
    rounds: 9,
    ours: () => microsecondsPerCall(500, () => ours.call()),
    other: () => microsecondsPerCall(500, () => other.call()),
  });
}

/** 500 tools in one page against one tool: what is told of a tool is made once, not for each list. */
async function lists(): Promise<BenchRow> {
  const many = await startOurs('express', manyOperations(500, 500), { pageSize: 500 });
  const bare = await startBare(500);
  try {
    return await measure({
      bench: 'mcp',
      row: 'express: tools/list of 500 against a bare SDK server',
      unit: 'us/list',
      maxRatio: 1.5,
      rounds: 7,
      ours: () => microsecondsPerCall(50, () => many.list()),
      other: () => microsecondsPerCall(50, () => bare.list()),
    });
  } finally {
    await Promise.all([many.close(), bare.close()]);
  }
}

async function startOurs(
  platform: Platform,
  content: Type | DynamicModule,
  options: { pageSize?: number } = {},
): Promise<Side> {
  const isController = typeof content === 'function';
  const palettes = [{ name: 'notes', readOnly: false, include: [operationsUnder('')] }];
  @Module({
    imports: [
      ...(isController ? [OperationsModule.forRoot({ audit: { sink: { record: () => undefined } } })] : [content]),
      OperationsModule.forFeature({ palettes }),
      McpModule.forRoot({ palette: 'notes', serverInfo: SERVER_INFO, ...options }),
    ],
    controllers: isController ? [content] : [],
  })
  class OursModule {}
  const app = await listening(platform, OursModule);
  return side(baseUrl(app), () => app.close());
}

async function startMcpNest(platform: Platform): Promise<Side> {
  const strategy = new McpStrategy({ ...SERVER_INFO, transports: [new StreamableHttpTransport()] });
  @Module({ controllers: [McpNotesController] })
  class McpNestModule {}
  const adapter = platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(McpNestModule, adapter, { logger: false });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  (app.getHttpServer() as HttpServer).keepAliveTimeout = 120_000;
  return side(baseUrl(app), () => app.close());
}

/** No framework, no pipeline, no checks: what the SDK itself takes. */
async function startBare(tools = 1): Promise<Side> {
  const told = Array.from({ length: tools }, (_, index) => bareTool(index));
  const handler = createMcpHandler(() => {
    const server = new Server(SERVER_INFO, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: told }));
    server.setRequestHandler('tools/call', ({ params }) => answerOf(params.arguments ?? {}));
    return server;
  });
  const http: HttpServer = createServer(toNodeHandler(handler) as never);
  http.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  return side(`http://127.0.0.1:${port}`, () => new Promise((resolve) => http.close(() => resolve())));
}

function bareTool(index: number): ToldTool {
  return {
    name: index === 0 ? 'create_note' : `tool${index}`,
    description: 'Create a note.',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 100 }, priority: { type: 'integer' } },
      required: ['title'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  };
}

/** A client that does nothing but send the same bytes, so that servers are measured and not clients. */
function side(base: string, close: () => Promise<void>): Side {
  const pool = new Pool(base, { connections: 1 });
  const send = async (method: string, name: string | undefined, params: object): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
    });
    const text = await body.text();
    if (statusCode !== 200 || text.includes('"isError":true'))
      throw new Error(`${method} was answered with ${statusCode}: ${text}`);
  };
  return {
    call: () => send('tools/call', 'create_note', { name: 'create_note', arguments: NOTE }),
    list: () => send('tools/list', undefined, {}),
    close: async () => {
      await pool.close();
      await close();
    },
  };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': SERVER_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};
