import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PrismaClientLike } from '../../../lib/stores/prisma/index.js';

/** What the tests use of a generated client. */
export interface AwkwardClient extends PrismaClientLike {
  readonly awkwardRow: {
    createMany(args: { data: readonly object[] }): PromiseLike<unknown>;
    findMany(args: object): PromiseLike<Record<string, unknown>[]>;
  };
  $executeRawUnsafe(statement: string): PromiseLike<number>;
  $extends(extension: object): AwkwardClient;
  $transaction<Answer>(run: (client: AwkwardClient) => Promise<Answer>): Promise<Answer>;
  $disconnect(): Promise<void>;
}

export type AwkwardClientClass = new (options: { adapter: unknown }) => AwkwardClient;

const HERE = dirname(fileURLToPath(import.meta.url));

/**
 * The client class of a schema beside this file, generated where the schema has changed since it last was: without a
 * network, into a folder that git ignores.
 */
export async function generatedClient(provider: 'sqlite' | 'postgresql'): Promise<AwkwardClientClass> {
  const schema = join(HERE, 'schema', `${provider}.prisma`);
  const stamp = join(HERE, 'generated', provider, 'schema.stamp');
  const text = await readFile(schema, 'utf8');
  if (!existsSync(stamp) || (await readFile(stamp, 'utf8')) !== text) {
    await generate(schema);
    await writeFile(stamp, text);
  }
  const { PrismaClient } = (await import(join(HERE, 'generated', provider, 'client.ts'))) as {
    PrismaClient: AwkwardClientClass;
  };
  return PrismaClient;
}

async function generate(schema: string): Promise<void> {
  const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js');
  // Generating a client needs none of the schema engine, which would be downloaded otherwise.
  const settings = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1', NODE_OPTIONS: '' };
  const env = { ...process.env, ...settings };
  await promisify(execFile)(process.execPath, [prisma, 'generate', '--no-hints', '--schema', schema], {
    env,
    cwd: HERE,
  });
}
