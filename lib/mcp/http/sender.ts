import type { IncomingMessage } from 'node:http';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../common/index.js';

export interface SenderRules {
  readonly allowedOrigins: ReadonlySet<string> | undefined;
  readonly allowedHosts: readonly string[] | undefined;
}

const THIS_MACHINE = localhostAllowedHostnames();

/**
 * Whether a request may come from where it comes from. A page of any site can reach a server on this machine, or one within
 * a network, through the browser of somebody who looks at it; the page's own origin and the name that it called the server by
 * give it away. @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export function refusedSender(request: IncomingMessage, rules: SenderRules): ErrorCode | undefined {
  const isWithinMachine = isLoopback(request.socket.localAddress);
  const hosts = rules.allowedHosts ?? (isWithinMachine ? THIS_MACHINE : undefined);
  if (hosts !== undefined && !validateHostHeader(hostOf(request), [...hosts]).ok) return 'mcp_host_refused';
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  const isAllowed = rules.allowedOrigins?.has(origin) ?? (isWithinMachine && isAmongLocals(request, origin));
  return isAllowed ? undefined : 'mcp_origin_refused';
}

/** Behind a proxy every connection comes from this machine, and "localhost" is whichever machine a page is looked at on. */
function isAmongLocals(request: IncomingMessage, origin: string): boolean {
  return validateHostHeader(hostOf(request), THIS_MACHINE).ok && isPageOfThisMachine(origin);
}

function hostOf({ headers }: IncomingMessage): string | undefined {
  const authority = headers[':authority'];
  return headers.host ?? (typeof authority === 'string' ? authority : undefined);
}

function isPageOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && THIS_MACHINE.includes(new URL(origin).hostname);
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
