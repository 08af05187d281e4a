import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type MiddlewareConsumer,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { ChallengeMiddleware } from './authorization/challenge.middleware.js';
import { MetadataRoute } from './authorization/metadata-route.js';
import { mcpController } from './http/mcp-controller.js';
import { McpEndpoint } from './http/mcp-endpoint.js';
import type { McpModuleOptions, McpRouteOptions } from './mcp.options.js';
import { MCP_CONTROLLER, MCP_OPTIONS } from './mcp.tokens.js';
import { resolveMcpOptions, type ResolvedMcpOptions } from './resolve-options.js';

const ROUTE_DEFAULTS: McpRouteOptions = { path: '/mcp', version: undefined, decorators: [] };

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<McpModuleOptions>({
  moduleName: 'Mcp',
})
  .setClassMethodName('forRoot')
  .setExtras(ROUTE_DEFAULTS, (definition, route) => {
    const controller = mcpController(route);
    const provided = { provide: MCP_CONTROLLER, useValue: controller };
    return { ...definition, controllers: [controller], providers: [...(definition.providers ?? []), provided] };
  })
  .build();

/**
 * A palette as an MCP server, over HTTP. Import it once for each endpoint: `forRoot`, or `forRootAsync` where the options are
 * known later. Each tool call runs through the application's own pipeline, with the identity of the message that asks for it.
 */
@Module({
  providers: [
    {
      provide: MCP_OPTIONS,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: McpModuleOptions): ResolvedMcpOptions => resolveMcpOptions(options),
    },
    McpEndpoint,
    MetadataRoute,
  ],
})
export class McpModule extends ConfigurableModuleClass implements NestModule {
  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    @Inject(MCP_CONTROLLER) private readonly controller: Type,
  ) {
    super();
  }

  configure(consumer: MiddlewareConsumer): void {
    if (this.options.authorization !== undefined) consumer.apply(ChallengeMiddleware).forRoutes(this.controller);
  }
}
