/** The options of one endpoint, with their defaults. */
export const MCP_OPTIONS = Symbol.for('nestjs-palette:mcp:OPTIONS');

/** The controller of one endpoint. */
export const MCP_CONTROLLER = Symbol.for('nestjs-palette:mcp:CONTROLLER');
