export { AgentModule } from './agent.module.js';
export type { AgentModuleOptions, AgentRunRequest, PrincipalResolver } from './agent.options.js';
export { AgentRunner } from './agent-runner.js';
