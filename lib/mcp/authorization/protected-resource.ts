import type { McpAuthorizationOptions } from './authorization.options.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** What clients read to find the authorization server. @see RFC 9728, section 3.2 */
export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly resource_name?: string;
  readonly resource_documentation?: string;
}

export function protectedResourceMetadata(options: McpAuthorizationOptions): ProtectedResourceMetadata {
  const { scopes, resourceName, documentation } = options;
  return {
    resource: options.resource,
    authorization_servers: options.authorizationServers,
    bearer_methods_supported: ['header'],
    ...(scopes && { scopes_supported: scopes }),
    ...(resourceName !== undefined && { resource_name: resourceName }),
    ...(documentation !== undefined && { resource_documentation: documentation }),
  };
}

/** Where that stands: at the root of the resource's origin, whatever prefix the application has. @see RFC 9728, section 3.1 */
export function metadataPath({ resource }: McpAuthorizationOptions): string {
  const { pathname } = new URL(resource);
  return pathname === '/' ? WELL_KNOWN : `${WELL_KNOWN}${pathname}`;
}

export function metadataUrl(options: McpAuthorizationOptions): string {
  return `${new URL(options.resource).origin}${metadataPath(options)}`;
}
