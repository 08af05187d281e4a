/** Without arguments some clients, which start this file again as their servers and print what they were told. */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import {
  Controller,
  Get,
  Logger,
  Module,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Operation, OperationsModule } from '../../../lib/index.js';
import { serveMcpStdio, StderrLogger } from '../../../lib/mcp/index.js';

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization !== 'Bearer of-the-process') throw new UnauthorizedException();
    return true;
  }
}

@Controller('notes')
@UseGuards(TokenGuard)
class NotesController {
  readonly #logger = new Logger('Notes');

  read(): unknown {
    this.#logger.log('somebody reads');
    this.#logger.warn('somebody still reads');
    this.#logger.error('somebody fails to read', 'Error: no stack');
    return { notes: 1 };
  }
}
Operation({ description: 'Read notes.' })(
  NotesController.prototype,
  'read',
  Object.getOwnPropertyDescriptor(NotesController.prototype, 'read') as never,
);
Get()(NotesController.prototype, 'read', Object.getOwnPropertyDescriptor(NotesController.prototype, 'read') as never);

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({ palettes: [{ name: 'notes', include: ['notes.read'] }] }),
  ],
  controllers: [NotesController],
})
class AppModule {}

const PLATFORMS = ['express', 'fastify'] as const;
type Platform = (typeof PLATFORMS)[number];

async function serve(platform: string | undefined, token: string | undefined): Promise<void> {
  const options = { logger: new StderrLogger() };
  const app = await (platform === 'fastify'
    ? NestFactory.create(AppModule, new FastifyAdapter(), options)
    : NestFactory.create(AppModule, options));
  await app.init();
  const served = serveMcpStdio(app, {
    palette: 'notes',
    serverInfo: { name: 'notes', version: '1.0.0' },
    caller: () => ({ headers: { authorization: `Bearer ${token}` } }),
  });
  await served.closed;
  await app.close();
}

const OURS = 'of-the-process';
const CALL = { name: 'notes__read', arguments: {} };

const serverOf = (platform: Platform, token: string) => ({
  command: process.execPath,
  args: [import.meta.filename, 'serve', platform, token],
  stderr: 'pipe' as const,
});

async function visit(mode: 'legacy' | { pin: string }, platform: Platform, token: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(serverOf(platform, token)));
  try {
    const { tools } = await client.listTools();
    const called = await client.callTool(CALL).catch((error: Error) => error.message);
    return { era: client.getNegotiatedProtocolVersion(), tools: tools.map(({ name }) => name), called };
  } finally {
    await client.close();
  }
}

async function visitByClient1(platform: Platform): Promise<unknown> {
  const client = new Client1({ name: 'test', version: '1.0.0' });
  await client.connect(new Transport1(serverOf(platform, OURS)) as never);
  try {
    const { tools } = await client.listTools();
    return { era: '2025-11-25', tools: tools.map(({ name }) => name), called: await client.callTool(CALL) };
  } finally {
    await client.close();
  }
}

/** Sends a few lines, ends the server by ending its input, and gives what it wrote where. */
async function listen(platform: Platform): Promise<unknown> {
  const { command, args } = serverOf(platform, OURS);
  const server = spawn(command, args);
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    server[stream].setEncoding('utf8').on('data', (text: string) => (written[stream] += text));
  const clientInfo = { name: 'raw', version: '1' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  for (const message of [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: CALL },
  ])
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  // What runs when the input ends is cut off, and this is about what is written.
  while (!written.stdout.includes('"id":3')) await new Promise((resolve) => setTimeout(resolve, 20));
  server.stdin.end();
  const exitCode = await new Promise<number | null>((resolve) => server.once('close', resolve));
  return { ...written, exitCode };
}

const [, , role, platform, token] = process.argv;
if (role === 'serve') await serve(platform, token);
else {
  const [legacy, modern] = ['legacy', { pin: '2026-07-28' }] as const;
  const visits = await Promise.all([
    visit(legacy, 'express', OURS),
    visit(modern, 'fastify', OURS),
    visitByClient1('express'),
    visit(modern, 'express', 'of-nobody'),
  ]);
  const listened = await Promise.all(PLATFORMS.map(listen));
  process.stdout.write(JSON.stringify({ visits, listened }));
}
