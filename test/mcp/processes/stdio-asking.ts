/** Without arguments a client, which starts this file again as its server and prints what came of its calls. */
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ApprovalsModule, Operation, OperationsModule, publicApprovals } from '../../../lib/index.js';
import { serveMcpStdio, StderrLogger } from '../../../lib/mcp/index.js';

let opened = 0;

@Controller('doors')
class DoorsController {
  open(): unknown {
    opened += 1;
    return { opened };
  }
}
const method = Object.getOwnPropertyDescriptor(DoorsController.prototype, 'open') as never;
Operation({ description: 'Opens the door.', approval: 'lets people in' })(DoorsController.prototype, 'open', method);
Get()(DoorsController.prototype, 'open', method);

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({ palettes: [{ name: 'doors', readOnly: false, include: ['doors.open'] }] }),
    ApprovalsModule.forRoot({
      authorizer: publicApprovals(),
      principal: () => ({ subject: 'ada' }),
      mayRequesterDecide: true,
      proposeUnasked: true,
    }),
  ],
  controllers: [DoorsController],
})
class AppModule {}

async function serve(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: new StderrLogger() });
  await app.init();
  const serverInfo = { name: 'doors', version: '1.0.0' };
  await serveMcpStdio(app, { palette: 'doors', serverInfo, elicitationTimeoutMs: 500 }).closed;
  await app.close();
}

type Answer = 'accept' | 'decline' | 'cancel' | 'never';

/** What a client was told of one call, whose user answers so; undefined: it has nobody to ask. */
async function visit(mode: 'legacy' | { pin: string }, answer: Answer | undefined): Promise<unknown> {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
  let asked = 0;
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async () => {
      asked += 1;
      if (answer === 'never') return new Promise<never>(() => undefined);
      return { action: answer, ...(answer === 'accept' && { content: {} }) };
    });
  }
  const args = [import.meta.filename, 'serve'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
  try {
    const { content } = await client.callTool({ name: 'doors__open', arguments: {} });
    const [first] = content;
    const told = JSON.parse(first?.type === 'text' ? first.text : '') as Record<string, unknown>;
    return { asked, told: told['code'] ?? told };
  } finally {
    await client.close();
  }
}

if (process.argv[2] === 'serve') await serve();
else {
  const visits: Record<string, unknown> = {};
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    for (const answer of ['accept', 'decline', 'cancel', undefined] as const) {
      visits[`${mode === 'legacy' ? '2025' : '2026'} ${answer}`] = await visit(mode, answer);
    }
  }
  visits['2025 never'] = await visit('legacy', 'never');
  process.stdout.write(JSON.stringify(visits));
}
