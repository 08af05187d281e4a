import 'reflect-metadata';
import { type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { OperationCatalogue } from 'nestjs-palette';
import { manyOperations } from './many-operations.js';
import { heapMegabytes } from './measure.js';

/** Reads 500 DTO classes into schemas, or validates one object of each, and prints milliseconds and megabytes. */
const root = manyOperations(1_000, 1_000);
const dtos = (root.controllers ?? []).flatMap((controller) => dtosOf(controller as Type));
const app = await NestFactory.create(root, new FastifyAdapter(), { logger: false });
const before = await heapMegabytes();
const start = process.hrtime.bigint();
const kept = process.argv[2] === 'schemas' ? app.get(OperationCatalogue).operations : validateEach();
const milliseconds = Number(process.hrtime.bigint() - start) / 1_000_000;
const heap = (await heapMegabytes()) - before;
console.log(JSON.stringify({ milliseconds, heap, kept: kept.size }));
await app.close();

function validateEach(): ReadonlySet<unknown> {
  const plain = { title: 'A title', body: 'text', priority: 1 };
  return new Set(dtos.map((dto) => validateSync(plainToInstance(dto, plain) as object)));
}

function dtosOf(controller: Type): Type[] {
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype)
    .flatMap((name) => (Reflect.getMetadata('design:paramtypes', prototype, name) as Type[] | undefined) ?? [])
    .filter((type) => type.name === 'ResourceDto');
}
