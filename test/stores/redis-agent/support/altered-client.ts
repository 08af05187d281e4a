import type { Redis } from 'ioredis';
import type { RedisClient } from 'nestjs-palette/redis';

/** Sends a command on the client that is altered. */
export type Send = () => Promise<unknown>;

/** A client of the store, each of whose scripts is sent as `around` does it. */
export function alteredClient(
  client: Redis,
  around: (command: 'evalsha' | 'eval', send: Send) => Promise<unknown>,
): RedisClient {
  return {
    options: client.options,
    evalsha: (...command) => around('evalsha', () => client.evalsha(...command)),
    eval: (...command) => around('eval', () => client.eval(...command)),
    info: () => client.info(),
    duplicate: () => client.duplicate(),
  };
}
