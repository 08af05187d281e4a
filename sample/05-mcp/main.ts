import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { USERS } from '../00-query-agent/auth/users.js';
import { AppModule } from './app.module.js';
import { visit } from './ask-notes.js';

/** Serves the notes over MCP, and visits them as two people. */
const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
for (const user of Object.values(USERS)) {
  const token = await app.get(JwtService, { strict: false }).signAsync({ ...user });
  const { tools, list, aggregate } = await visit(`${await app.getUrl()}/mcp`, token);
  console.log(`${user.name} sees ${tools.join(', ')}`);
  for (const { content } of [list, aggregate]) console.log(content[0]?.type === 'text' ? content[0].text : '');
}
await app.close();
