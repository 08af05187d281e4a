import 'reflect-metadata';
import { Body, Controller, Get, Module, Param, Post, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';

const CONTROLLERS = 50;
const PAIRS_PER_CONTROLLER = 5;

class BootModule {}
Module({})(BootModule);

/** Boots an application with 500 routes, with or without the module, and prints how many milliseconds that took. */
console.log(await bootMilliseconds(process.argv[2] === 'operations'));

async function bootMilliseconds(hasOperations: boolean): Promise<number> {
  const controllers = Array.from({ length: CONTROLLERS }, (_, index) => makeController(index));
  const imports: DynamicModule[] = hasOperations
    ? [
        OperationsModule.forRoot({}),
        OperationsModule.forFeature({
          palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('resource')] }],
        }),
      ]
    : [];
  const start = process.hrtime.bigint();
  const root: DynamicModule = { module: BootModule, imports, controllers };
  const app = await NestFactory.create(root, new FastifyAdapter(), { logger: false });
  await app.init();
  const milliseconds = Number(process.hrtime.bigint() - start) / 1_000_000;
  await app.close();
  return milliseconds;
}

function makeController(index: number): Type {
  class ResourceController {}
  for (let pair = 0; pair < PAIRS_PER_CONTROLLER; pair++) {
    addMethod(ResourceController, `read${pair}`, [Get(`${pair}/:id`)], Param('id'), String);
    addMethod(ResourceController, `create${pair}`, [Post(`${pair}`)], Body(), makeDto());
  }
  Controller(`resource${index}`)(ResourceController);
  return ResourceController;
}

function addMethod(
  controller: Type,
  name: string,
  decorators: readonly MethodDecorator[],
  parameter: ParameterDecorator,
  type: unknown,
): void {
  const prototype = controller.prototype as object;
  const descriptor = { value: (input: unknown) => input, writable: true, configurable: true, enumerable: false };
  Object.defineProperty(prototype, name, descriptor);
  parameter(prototype, name, 0);
  Reflect.defineMetadata('design:paramtypes', [type], prototype, name);
  for (const decorate of [...decorators, Operation({ description: `Does ${name}.` })]) {
    decorate(prototype, name, descriptor);
  }
}

function makeDto(): Type {
  class ResourceDto {
    @IsString() @MaxLength(100) title!: string;
    @IsOptional() @IsString() body?: string;
    @IsInt() priority!: number;
  }
  return ResourceDto;
}
