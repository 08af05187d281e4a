export { PaletteBootError, PaletteError, type BootFault, type CallerContext, type ErrorCode } from './common/index.js';
export { ERROR_CODES, type ErrorActor, type ErrorCodeEntry, type JsonSchema } from './common/index.js';
export {
  Operation,
  OperationCatalogue,
  type OperationAnnotations,
  type OperationDescriptor,
  type OperationKind,
  type OperationOptions,
} from './operations/index.js';
export {
  getPaletteToken,
  InjectPalette,
  operation,
  operationsUnder,
  Palette,
  PaletteRegistry,
  type PaletteInclude,
  type PaletteOptions,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from './palette/index.js';
export {
  AgentCall,
  agentCallOf,
  Caller,
  callerOf,
  DispatchError,
  OperationDispatcher,
  type AgentCallInfo,
  type DispatchContext,
  type DispatchOptions,
} from './dispatch/index.js';
export { OperationsModule, type OperationsFeatureOptions, type OperationsModuleOptions } from './operations.module.js';
