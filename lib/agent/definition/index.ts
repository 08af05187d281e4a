export { defineAgent, type Agent, type AgentContext, type AgentOptions, type AnswerOf, type Handoff } from './agent.js';
export { AgentGraph } from './agent-graph.js';
