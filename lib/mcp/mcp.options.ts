import type { JsonSchema } from '../common/index.js';
import type { McpAuthorizationOptions } from './authorization/authorization.options.js';

/** What the server calls itself. */
export interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  /** For people. */
  readonly title?: string;
  readonly websiteUrl?: string;
}

/** What a palette's server tells of itself, over HTTP and over stdio. */
export interface McpServerOptions {
  /** The palette that clients see and call. */
  readonly palette: string;
  readonly serverInfo: McpServerInfo;
  /** Told to clients beside the tools, in front of what is generated. Default: nothing. */
  readonly instructions?: string;
  /** How many tools, prompts or resources one page of a list holds. Default: 200. */
  readonly pageSize?: number;
  /**
   * How often a client that asked for progress hears that its call is still running, in milliseconds; 0 for never.
   * Default: 5,000.
   */
  readonly progressIntervalMs?: number;
  /**
   * How long a call waits for its client's user to say whether it may run, in milliseconds; 0: they are never asked. Who may be
   * asked is for the approvals' policy to say. Clients since 2026-07-28 call again instead, whenever that is. Default: 300,000.
   */
  readonly elicitationTimeoutMs?: number;
  /**
   * JSON Schemas of what operations answer, by the operation's name. A tool that has one is told with it, and an answer that
   * does not fit it is a fault of the application, not passed on. Default: none.
   */
  readonly outputSchemas?: Readonly<Record<string, JsonSchema>>;
}

export interface McpModuleOptions extends McpServerOptions {
  /**
   * Origins of web pages that may call: `https://app.example.com`. Requests without an `Origin` always may: no browser sent
   * them. Default: pages of this machine, where it is called by a name of this machine over a connection within it; no page
   * otherwise.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Host names that the endpoint answers to, without ports. Default: the names of this machine, over connections within this
   * machine; every name otherwise. Behind a proxy on the same machine, list the public name.
   */
  readonly allowedHosts?: readonly string[];
  /** How large a request may be that no body parser of the application has read, in bytes. Default: 4,194,304. */
  readonly maxBodyBytes?: number;
  /** Tells clients where to get a token, and with which scopes. Default: nothing is told. */
  readonly authorization?: McpAuthorizationOptions;
}

/** What the endpoint's controller is made of; known where the module is imported, also by `forRootAsync`. */
export interface McpRouteOptions {
  /** Where the endpoint is, within the application's prefix and versions. Default: `/mcp`. */
  readonly path?: string;
  /** As in `@Controller({ version })`. Default: the application's default version, where it has one. */
  readonly version?: string | readonly string[] | symbol | undefined;
  /** Put on the controller: `UseGuards(JwtAuthGuard)`, `Public()`, `Throttle(...)`. Default: none. */
  readonly decorators?: readonly ClassDecorator[];
}
