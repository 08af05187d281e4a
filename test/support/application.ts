import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';

export type Platform = 'express' | 'fastify';

/** The platforms that every guarantee is tested on. */
export const PLATFORMS: readonly Platform[] = ['express', 'fastify'];

export interface ApplicationOptions {
  /** Runs before `init`: prefix, versioning, global enhancers, body parsers. */
  readonly configure?: (app: INestApplication) => void;
  /** Whose `X-Forwarded-For` is believed: Express's `trust proxy`, Fastify's `trustProxy`. Default: nobody's. */
  readonly trustProxy?: boolean | string;
}

const running: INestApplication[] = [];

/** Boots an application on a platform, without listening. `closeApplications` ends it. */
export async function bootApplication(
  platform: Platform,
  metadata: ModuleMetadata,
  options: ApplicationOptions = {},
): Promise<INestApplication> {
  const testingModule = await Test.createTestingModule(metadata).compile();
  const { trustProxy = false } = options;
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter({ trustProxy });
  if (adapter instanceof ExpressAdapter) adapter.set('trust proxy', trustProxy);
  const app = testingModule.createNestApplication(adapter, { logger: false });
  options.configure?.(app);
  running.push(app);
  await app.init();
  if (platform === 'fastify') await (app.getHttpAdapter().getInstance() as { ready(): Promise<unknown> }).ready();
  return app;
}

/** Listens on a free port of the loopback interface and gives the base URL. */
export async function listen(app: INestApplication): Promise<string> {
  await app.listen(0, '127.0.0.1');
  const address = (app.getHttpServer() as { address(): { port: number } }).address();
  return `http://127.0.0.1:${address.port}`;
}

/** Call it in `afterEach`. */
export async function closeApplications(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()));
}
