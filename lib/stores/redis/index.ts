export { AgentStoreError } from '../agent-store-error.js';
export { RedisAgentStore } from './redis-agent-store.js';
export type { RedisAgentStoreOptions } from './redis-agent-store.options.js';
export type { RedisClient, RedisSubscriber } from './redis-client.js';
