import { AgentStoreError } from '../agent-store-error.js';
import type { RedisClient } from './redis-client.js';

export interface RedisAgentStoreOptions {
  /** The application's `Redis` or `Cluster` of `ioredis`. The store does not close it. */
  readonly client: RedisClient;
  /**
   * What the names of keys begin with, in braces, so that a cluster keeps all of them on one node: `{palette}:...`. Two
   * stores over one server need two. 1 to 100 characters other than braces. Default: `palette`.
   */
  readonly keyPrefix?: string | undefined;
  /**
   * Whether writes of journals are published, and readers subscribe, on a connection of their own in each process that reads.
   * Default: true. Without it readers look every `pollMs`.
   */
  readonly push?: boolean | undefined;
  /** How long a reader waits for a push before it looks by itself, in milliseconds. Default: 5,000. */
  readonly pollMs?: number | undefined;
}

const DEFAULTS = { keyPrefix: 'palette', push: true, pollMs: 5000 } as const;
const METHODS = ['evalsha', 'eval', 'info', 'duplicate'] as const;

/** @throws AgentStoreError `store_options_invalid` */
export function resolveOptions(options: RedisAgentStoreOptions) {
  const { client, keyPrefix = DEFAULTS.keyPrefix, push = DEFAULTS.push, pollMs = DEFAULTS.pollMs } = options;
  if (!METHODS.every((method) => typeof client?.[method] === 'function')) {
    refuse('client', 'is no `Redis` or `Cluster` of `ioredis`');
  }
  if (typeof keyPrefix !== 'string' || !/^[^{}]{1,100}$/su.test(keyPrefix)) {
    refuse('keyPrefix', 'is no text of 1 to 100 characters other than braces');
  }
  if (typeof push !== 'boolean') refuse('push', 'is neither true nor false');
  if (!Number.isSafeInteger(pollMs) || pollMs < 1) refuse('pollMs', 'is no whole number of milliseconds from 1 on');
  return { client, keyPrefix, push, pollMs };
}

function refuse(key: string, what: string): never {
  throw new AgentStoreError('store_options_invalid', { parameters: { store: 'RedisAgentStore', key, what } });
}
