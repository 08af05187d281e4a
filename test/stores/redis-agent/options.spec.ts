import { describe, expect, it, jest } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { AgentStoreError, RedisAgentStore, type RedisAgentStoreOptions } from 'nestjs-palette/redis';
import { catchError } from '../../support/catch-error.js';

const client = new Redis({ lazyConnect: true });

describe('the options of RedisAgentStore', () => {
  it.each<[string, unknown, string]>([
    ['client', undefined, 'is no `Redis` or `Cluster` of `ioredis`'],
    ['client', {}, 'is no `Redis` or `Cluster` of `ioredis`'],
    ['client', 'redis://127.0.0.1', 'is no `Redis` or `Cluster` of `ioredis`'],
    ['keyPrefix', '', 'is no text of 1 to 100 characters other than braces'],
    ['keyPrefix', 'a{b', 'is no text of 1 to 100 characters other than braces'],
    ['keyPrefix', '}', 'is no text of 1 to 100 characters other than braces'],
    ['keyPrefix', 'x'.repeat(101), 'is no text of 1 to 100 characters other than braces'],
    ['keyPrefix', 7, 'is no text of 1 to 100 characters other than braces'],
    ['push', 'yes', 'is neither true nor false'],
    ['pollMs', 0, 'is no whole number of milliseconds from 1 on'],
    ['pollMs', 1.5, 'is no whole number of milliseconds from 1 on'],
    ['pollMs', Infinity, 'is no whole number of milliseconds from 1 on'],
  ])('refuse a `%s` that is %j', async (key, value, what) => {
    const options = { client, [key]: value } as unknown as RedisAgentStoreOptions;
    const error = await catchError(() => new RedisAgentStore(options));
    expect(AgentStoreError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'store_options_invalid',
      message: `[store_options_invalid] RedisAgentStore: \`${key}\` ${what}.`,
    });
  });

  it.each([undefined, 'p', 'x'.repeat(100), 'agents:eu 1'])('take %j as a prefix', (keyPrefix) => {
    expect(() => new RedisAgentStore({ client, keyPrefix, push: false, pollMs: 1 })).not.toThrow();
  });

  it('take a cluster', () => {
    const cluster = new Cluster([{ host: '127.0.0.1', port: 6379 }], { lazyConnect: true });
    expect(() => new RedisAgentStore({ client: cluster })).not.toThrow();
  });

  it('let nothing connect before it has to', () => {
    const duplicate = jest.spyOn(client, 'duplicate');
    new RedisAgentStore({ client });
    expect(duplicate).not.toHaveBeenCalled();
    expect(client.status).toBe('wait');
  });
});
