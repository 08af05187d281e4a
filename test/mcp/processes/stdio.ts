/** Without arguments a client, which starts this file again as its server and prints what it was told. */
import 'reflect-metadata';
import {
  Controller,
  Get,
  Module,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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
  read(): unknown {
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

async function serve(token: string): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: new StderrLogger() });
  await app.init();
  const served = serveMcpStdio(app, {
    palette: 'notes',
    serverInfo: { name: 'notes', version: '1.0.0' },
    caller: () => ({ headers: { authorization: `Bearer ${token}` } }),
  });
  await served.closed;
  await app.close();
}

async function visit(mode: 'legacy' | { pin: string }, token: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const args = [import.meta.filename, 'serve', token];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
  try {
    const { tools } = await client.listTools();
    const called = await client.callTool({ name: 'notes__read', arguments: {} }).catch((error: Error) => error.message);
    return { era: client.getNegotiatedProtocolVersion(), tools: tools.map(({ name }) => name), called };
  } finally {
    await client.close();
  }
}

const [, , role, token = ''] = process.argv;
if (role === 'serve') await serve(token);
else {
  const visits = [];
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    for (const who of ['of-the-process', 'of-nobody']) visits.push(await visit(mode, who));
  }
  process.stdout.write(JSON.stringify(visits));
}
