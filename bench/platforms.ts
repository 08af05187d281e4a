import type { Server } from 'node:http';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { getPaletteToken, OperationDispatcher, type Palette, type ToolCall, type ToolResult } from 'nestjs-palette';

export type Platform = 'express' | 'fastify';

export const CALLER = { headers: { authorization: 'Bearer x' } };

/** Boots an application on a platform and lets it listen on a free port of the loopback interface. */
export async function listening(
  platform: Platform,
  module: Type | DynamicModule,
  configure: (app: INestApplication) => void = () => undefined,
): Promise<INestApplication> {
  const adapter = platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(module, adapter, { logger: false });
  configure(app);
  await app.listen(0, '127.0.0.1');
  // A connection that the server closes between two rounds would fail the next request.
  (app.getHttpServer() as Server).keepAliveTimeout = 120_000;
  return app;
}

export function baseUrl(app: INestApplication): string {
  const { port } = (app.getHttpServer() as { address(): { port: number } }).address();
  return `http://127.0.0.1:${port}`;
}

export interface BenchDispatcher {
  one(name: string, args: object): Promise<void>;
  all(calls: readonly ToolCall[], concurrency?: number): Promise<void>;
}

/** Looks up once what an application injects once. A refused call is a fault of the bench. */
export function dispatcherOf(app: INestApplication, paletteName: string): BenchDispatcher {
  const palette = app.get<Palette>(getPaletteToken(paletteName), { strict: false });
  const dispatcher = app.get(OperationDispatcher);
  const context = { palette, caller: CALLER };
  return {
    one: async (name, args) => assertAnswered(await dispatcher.dispatch({ id: '1', name, arguments: args }, context)),
    all: async (calls, concurrency) => {
      const outcomes = await dispatcher.dispatchAll(calls, context, concurrency === undefined ? {} : { concurrency });
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') throw outcome.reason;
        assertAnswered(outcome.value);
      }
    },
  };
}

function assertAnswered(result: ToolResult): void {
  if (result.isError) throw new Error(`dispatch was refused: ${JSON.stringify(result.content)}`);
}
