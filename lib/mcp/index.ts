export type { McpAuthorizationOptions } from './authorization/authorization.options.js';
export { McpModule } from './mcp.module.js';
export type { McpModuleOptions, McpRouteOptions, McpServerInfo, McpServerOptions } from './mcp.options.js';
export { serveMcpStdio, type McpStdioOptions, type McpStdioServer } from './stdio/serve-mcp-stdio.js';
export { StderrLogger } from './stdio/stderr-logger.js';
