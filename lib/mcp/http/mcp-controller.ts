import { All, Controller, Req, Res, type Type } from '@nestjs/common';
import type { McpRouteOptions } from '../mcp.options.js';
import { McpEndpoint } from './mcp-endpoint.js';

/** The controller of one endpoint: an ordinary one, to which the application's prefix, versions and guards apply. */
export function mcpController({ path, version, decorators = [] }: McpRouteOptions): Type {
  class McpController {
    constructor(private readonly endpoint: McpEndpoint) {}

    @All()
    serve(@Req() request: object, @Res() response: object): Promise<void> {
      return this.endpoint.serve(request, response);
    }
  }
  Controller({ path: path ?? '/mcp', ...(version !== undefined && { version: version as string }) })(McpController);
  Reflect.defineMetadata('design:paramtypes', [McpEndpoint], McpController);
  for (const decorate of decorators) decorate(McpController);
  return McpController;
}
