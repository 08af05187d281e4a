export type { AgentTool, ExaminedToolCall, ToolRunContext } from './agent-tool.js';
export {
  functionTool,
  type FunctionTool,
  type FunctionToolContext,
  type FunctionToolOptions,
} from './function-tool.js';
export { Toolbox, toolboxOf } from './toolbox.js';
