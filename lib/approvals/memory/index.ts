export { InMemoryAgentStore } from './in-memory-agent-store.js';
export type { InMemoryAgentStoreOptions } from './in-memory-conversation-store.js';
