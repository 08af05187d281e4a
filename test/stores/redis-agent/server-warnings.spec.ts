import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { ApprovalsModule, OperationsModule, publicApprovals } from 'nestjs-palette';
import { RedisAgentStore } from 'nestjs-palette/redis';

const infoOf = (policy: string, aof: number) =>
  `# Memory\r\nused_memory:1\r\nmaxmemory_policy:${policy}\r\n\r\n# Persistence\r\naof_enabled:${aof}\r\n`;

describe('a Redis that loses what it is given', () => {
  let warnings: unknown[];
  beforeEach(() => {
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void warnings.push(message));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function warningsOf(info: Promise<string>): Promise<unknown[]> {
    const client = new Redis({ lazyConnect: true });
    jest.spyOn(client, 'info').mockReturnValue(info);
    new RedisAgentStore({ client }).onModuleInit();
    await info.catch(() => undefined);
    await new Promise(setImmediate);
    return warnings;
  }

  it.each(['allkeys-lru', 'allkeys-lfu', 'allkeys-random'])('is warned of where it evicts: %s', async (policy) => {
    expect(await warningsOf(Promise.resolve(infoOf(policy, 1)))).toEqual([
      `Redis evicts any key when its memory is full (maxmemory-policy ${policy}), and so approvals and calls. Set it to noeviction.`,
    ]);
  });

  it('is warned of where it keeps no append-only file', async () => {
    expect(await warningsOf(Promise.resolve(infoOf('noeviction', 0)))).toEqual([
      'Redis keeps no append-only file: when it ends, approvals and calls since its last snapshot are gone. Set appendonly to yes.',
    ]);
  });

  // Those evict what has an end of its own only, and nothing of the store has one.
  it.each(['noeviction', 'volatile-lru', 'volatile-ttl'])('is none where it keeps things: %s', async (policy) => {
    expect(await warningsOf(Promise.resolve(infoOf(policy, 1)))).toEqual([]);
  });

  it.each([
    ['says nothing of it', Promise.resolve('# Server\r\nredis_version:7\r\n')],
    ['lets nobody ask', Promise.reject(new Error('NOPERM'))],
  ])('is not known where it %s', async (_, info) => {
    expect(await warningsOf(info)).toEqual([]);
  });

  it('is warned of when the module starts, and the store closes with the application', async () => {
    const client = new Redis({ lazyConnect: true });
    jest.spyOn(client, 'info').mockResolvedValue(infoOf('allkeys-lru', 0));
    const store = new RedisAgentStore({ client });
    const close = jest.spyOn(store, 'close');
    const approvals = ApprovalsModule.forRoot({
      store,
      authorizer: publicApprovals(),
      principal: () => ({ subject: 'a' }),
    });
    const module = await Test.createTestingModule({ imports: [OperationsModule.forRoot({}), approvals] }).compile();
    const application = await module.createNestApplication().init();
    expect(warnings.filter((message) => String(message).startsWith('Redis '))).toHaveLength(2);
    await application.close();
    expect(close).toHaveBeenCalled();
  });
});
