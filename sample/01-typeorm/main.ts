import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { USERS } from '../00-query-agent/auth/users.js';
import { AppModule } from './app.module.js';

/** Asks the films in the database two questions in plain language, and prints the answers. */
const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
const token = await app.get(JwtService, { strict: false }).signAsync({ ...USERS.ada });
for (const question of ['How many films per genre?', 'Which dramas are rated best?']) {
  const response = await fetch(`${await app.getUrl()}/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  });
  console.log(((await response.json()) as { answer: string }).answer);
}
await app.close();
