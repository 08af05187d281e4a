import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { manyOperations } from './many-operations.js';

/** Boots an application with 500 routes, with or without the module, and prints how many milliseconds that took. */
const root = manyOperations(500, process.argv[2] === 'operations' ? 500 : 0);
const start = process.hrtime.bigint();
const app = await NestFactory.create(root, new FastifyAdapter(), { logger: false });
await app.init();
console.log(Number(process.hrtime.bigint() - start) / 1_000_000);
await app.close();
