/** An endpoint whose callers need a token of an OAuth authorization server. The token is checked by the application's guards. */
export interface McpAuthorizationOptions {
  /** The public URL of the endpoint: what tokens for it are issued for. */
  readonly resource: string;
  /** Issuers of the authorization servers that issue them; at least one. */
  readonly authorizationServers: readonly string[];
  /** The scopes that a caller needs to begin with. Default: none are told. */
  readonly scopes?: readonly string[];
  /** For people. Default: none is told. */
  readonly resourceName?: string;
  /** A page about the resource, for developers. Default: none is told. */
  readonly documentation?: string;
}
