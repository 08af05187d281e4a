/** Where a service is: the part of every address that no argument can change. */
export interface EgressBase {
  /** `https://api.provider.example`, with the port where it is not the scheme's own. */
  readonly origin: string;
  /** Host and, where given, port: as `Host` has it. */
  readonly host: string;
  /** Path prefix without a slash at its end; empty for the root. */
  readonly path: string;
  readonly isHttps: boolean;
  readonly isLoopback: boolean;
}

/** Parses a configured base URL. A fault is in words that follow "baseUrl" and does not repeat a URL with a password. */
export function parseEgressBase(value: unknown): { readonly base: EgressBase } | { readonly fault: string } {
  if (typeof value !== 'string' || value === '') return { fault: 'is not set: write a URL such as "https://host/v1"' };
  if (!/^https?:\/\/[^/?#\\]/i.test(value)) return { fault: 'is not an absolute http or https URL' };
  if (!URL.canParse(value)) return { fault: 'is not a URL' };
  const url = new URL(value);
  const fault = baseFault(value, url);
  return fault === undefined ? { base: baseOf(url) } : { fault };
}

function baseFault(value: string, url: URL): string | undefined {
  if (url.username !== '' || url.password !== '' || value.includes('@')) {
    return 'has a user or a password: use `credentials`';
  }
  if (/[?#]/.test(value)) return 'has a query or a fragment: only a scheme, a host, a port and a path';
  if (url.pathname.split('/').slice(1, -1).includes('')) return 'has an empty path segment';
  const canonical = withoutTrailingSlash(url.href);
  // `2130706433`, `0x7f.1`, `/a/../b` and control characters all become something else than what was read by a reviewer.
  return withoutTrailingSlash(value) === canonical ? undefined : `is not in its plain form: write "${canonical}"`;
}

function baseOf(url: URL): EgressBase {
  return Object.freeze({
    origin: url.origin,
    host: url.host,
    path: withoutTrailingSlash(url.pathname),
    isHttps: url.protocol === 'https:',
    isLoopback: isLoopback(url.hostname),
  });
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function withoutTrailingSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
