export type { AgentTool, ExaminedToolCall, ToolRunContext } from './agent-tool.js';
export {
  functionTool,
  type FunctionTool,
  type FunctionToolContext,
  type FunctionToolOptions,
} from './function-tool.js';
export { NO_DISPATCHER, Toolbox, toolboxOf } from './toolbox.js';
