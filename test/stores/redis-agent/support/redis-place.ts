import { Redis, type RedisOptions } from 'ioredis';
import { RedisAgentStore, type RedisAgentStoreOptions } from 'nestjs-palette/redis';
import type { StoreUnderTest } from 'nestjs-palette/testing';
import { REDIS } from '../../../support/servers.js';

/** Names of keys that nobody else uses, and clients. */
export class RedisPlace {
  readonly keyPrefix: string;
  readonly client: Redis;
  private readonly clients: Redis[] = [];
  private readonly stores: RedisAgentStore[] = [];

  constructor(name: string) {
    this.keyPrefix = `palette_${name}_${process.pid}`;
    this.client = this.connect();
  }

  /** Another client, as another process has one. */
  connect(options: RedisOptions = {}): Redis {
    const client = new Redis({ ...REDIS, ...options });
    this.clients.push(client);
    return client;
  }

  store(options: Partial<RedisAgentStoreOptions> = {}): RedisAgentStore {
    const store = new RedisAgentStore({ client: this.client, keyPrefix: this.keyPrefix, ...options });
    this.stores.push(store);
    return store;
  }

  /** Two stores over nothing, on two clients. */
  async underTest(): Promise<StoreUnderTest> {
    await this.clear();
    const [store, replica] = [this.store(), this.store({ client: this.connect() })];
    return {
      store,
      replica,
      advance: (ms) => this.advance(ms),
      close: async () => [store, replica].forEach((each) => each.close()),
    };
  }

  key(name: string): string {
    return `{${this.keyPrefix}}:${name}`;
  }

  /** Lets time pass for what is stored: the server's clock is nobody's to move. */
  async advance(ms: number): Promise<void> {
    await this.client.eval(ADVANCE, 1, `{${this.keyPrefix}}`, ms);
  }

  async clear(): Promise<void> {
    const keys = await this.client.keys(`*{${this.keyPrefix}}*`);
    if (keys.length > 0) await this.client.del(...keys);
  }

  async close(): Promise<void> {
    await this.clear();
    for (const store of this.stores) store.close();
    for (const client of this.clients) client.disconnect();
  }
}

const ADVANCE = `
local function moveFields(pattern, names)
  for _, key in ipairs(redis.call('KEYS', KEYS[1] .. pattern)) do
    for _, name in ipairs(names) do
      if redis.call('HEXISTS', key, name) == 1 then
        redis.call('HINCRBY', key, name, -ARGV[1])
      end
    end
  end
end
moveFields(':conversation:*', { 'createdAt', 'updatedAt', 'leaseEndsAt' })
moveFields(':call:*', { 'updatedAt' })
moveFields(':approval:*', { 'createdAt', 'expiresAt' })
for _, name in ipairs({ 'runnable', 'leased', 'expiring', 'unknown' }) do
  local key = KEYS[1] .. ':' .. name
  for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    redis.call('ZINCRBY', key, -ARGV[1], member)
  end
end
`;
