import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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
  const isFresh = async () => existsSync(stamp) && (await readFile(stamp, 'utf8')) === text;
  if (!(await isFresh())) await generateOnce(provider, schema, isFresh, () => writeFile(stamp, text));
  const { PrismaClient } = (await import(join(HERE, 'generated', provider, 'client.ts'))) as {
    PrismaClient: AwkwardClientClass;
  };
  return PrismaClient;
}

const WAIT_MS = 60_000;

/** Specs run at the same time: one of them generates, the others wait for it. */
async function generateOnce(
  provider: string,
  schema: string,
  isFresh: () => Promise<boolean>,
  finish: () => Promise<void>,
): Promise<void> {
  await mkdir(join(HERE, 'generated'), { recursive: true });
  const lock = join(HERE, 'generated', `${provider}.lock`);
  const isMine = await mkdir(lock).then(
    () => true,
    () => false,
  );
  const deadlineMs = Date.now() + WAIT_MS;
  while (!isMine && !(await isFresh())) {
    // What was left behind by a run that was killed is in nobody's way for long.
    if (Date.now() > deadlineMs) await rm(lock, { recursive: true, force: true });
    if (Date.now() > deadlineMs) return generateOnce(provider, schema, isFresh, finish);
    await setTimeout(100);
  }
  if (!isMine) return;
  try {
    await generate(schema);
    await finish();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
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
