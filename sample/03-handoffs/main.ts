import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { providerOf } from '../00-query-agent/model/model.service.js';
import { AppModule } from './app.module.js';
import { renderReply, say } from './say.js';

// MODEL_BASE_URL, MODEL_API_KEY, MODEL_NAME: a real provider in place of the canned one.
const app = await NestFactory.create(AppModule.register(providerOf(process.env)), { logger: false });
await app.listen(0, '127.0.0.1');
const sub = 'ann';
const token = await app.get(JwtService, { strict: false }).signAsync({ sub });
const url = await app.getUrl();
for (const text of [
  'Hello!',
  'Where is my lamp?',
  'And was it paid?',
  'Please send me a copy of i-1.',
  'What about order o-3?',
]) {
  renderReply(`${sub}: ${text}`, await say(url, token, 'c-1', text)).forEach((line) => console.log(line));
}
await app.close();
