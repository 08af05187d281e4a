import { BootFaults, MAX_TIMER_MS } from '../common/index.js';
import { isScope } from './authorization/challenge.js';
import type { McpModuleOptions, McpServerOptions } from './mcp.options.js';

export interface ResolvedServerOptions extends Required<Omit<McpServerOptions, 'instructions'>> {
  readonly instructions: string | undefined;
}

export interface ResolvedMcpOptions extends ResolvedServerOptions {
  readonly allowedOrigins: ReadonlySet<string> | undefined;
  readonly allowedHosts: readonly string[] | undefined;
  readonly maxBodyBytes: number;
  readonly authorization: McpModuleOptions['authorization'];
}

/** Fills in the defaults. @throws PaletteBootError `mcp_options_invalid`, with every fault */
export function resolveServerOptions(options: McpServerOptions): ResolvedServerOptions {
  const faults = new BootFaults();
  checkServer(options, faults);
  faults.throwIfAny();
  return Object.freeze(serverDefaults(options));
}

/** Fills in the defaults. @throws PaletteBootError `mcp_options_invalid`, with every fault */
export function resolveMcpOptions(options: McpModuleOptions): ResolvedMcpOptions {
  const faults = new BootFaults();
  checkServer(options, faults);
  checkModule(options, faults);
  faults.throwIfAny();
  return Object.freeze({
    ...serverDefaults(options),
    allowedOrigins: options.allowedOrigins && new Set(options.allowedOrigins),
    allowedHosts: options.allowedHosts,
    maxBodyBytes: options.maxBodyBytes ?? 4_194_304,
    authorization: options.authorization,
  });
}

function serverDefaults(options: McpServerOptions): ResolvedServerOptions {
  return {
    palette: options.palette,
    serverInfo: Object.freeze({ ...options.serverInfo }),
    instructions: options.instructions,
    pageSize: options.pageSize ?? 200,
    progressIntervalMs: options.progressIntervalMs ?? 5_000,
    elicitationTimeoutMs: options.elicitationTimeoutMs ?? 300_000,
    outputSchemas: Object.freeze({ ...options.outputSchemas }),
  };
}

const NO_TIME = `is not a whole number from 0 to ${MAX_TIMER_MS}`;

type Report = (key: string, what: string) => void;

function checkServer(options: McpServerOptions, faults: BootFaults): void {
  const report = reportTo(faults);
  const { serverInfo, pageSize, progressIntervalMs, elicitationTimeoutMs } = options;
  if (!isText(options.palette)) report('palette', 'is not the name of a palette');
  if (!isText(serverInfo?.name)) report('serverInfo.name', 'is empty');
  if (!isText(serverInfo?.version)) report('serverInfo.version', 'is empty');
  if (!isWholeNumber(pageSize ?? 1, 1)) report('pageSize', 'is not a whole number from 1');
  if (!isTime(progressIntervalMs ?? 0)) report('progressIntervalMs', NO_TIME);
  if (!isTime(elicitationTimeoutMs ?? 0)) report('elicitationTimeoutMs', NO_TIME);
}

function checkModule(options: McpModuleOptions, faults: BootFaults): void {
  const report = reportTo(faults);
  if (!isWholeNumber(options.maxBodyBytes ?? 1, 1)) report('maxBodyBytes', 'is not a whole number from 1');
  for (const origin of options.allowedOrigins ?? []) {
    if (urlOf(origin)?.origin !== origin)
      report('allowedOrigins', `holds "${origin}": an origin is like "https://app.example.com"`);
  }
  for (const host of options.allowedHosts ?? []) {
    if (urlOf(`http://${host}`)?.hostname !== host)
      report('allowedHosts', `holds "${host}": a host name has no scheme, port or path`);
  }
  checkAuthorization(options, report);
}

function checkAuthorization({ authorization }: McpModuleOptions, report: Report): void {
  if (authorization === undefined) return;
  const { resource, authorizationServers, scopes = [] } = authorization;
  if (!isPublicUrl(resource)) report('authorization.resource', NOT_PUBLIC);
  if (!(authorizationServers?.length > 0)) report('authorization.authorizationServers', 'is empty');
  if (!(authorizationServers ?? []).every(isPublicUrl)) report('authorization.authorizationServers', NOT_PUBLIC);
  if (!scopes.every(isScope)) report('authorization.scopes', 'holds what can be no scope of a token');
}

const NOT_PUBLIC = 'is not an https URL without query and fragment (http is for this machine only)';

function isPublicUrl(text: unknown): boolean {
  const url = urlOf(text);
  if (url === undefined || url.search !== '' || url.hash !== '') return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  );
}

function urlOf(text: unknown): URL | undefined {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
}

function reportTo(faults: BootFaults): Report {
  return (key, what) => faults.add('mcp_options_invalid', { key, what });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isWholeNumber(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isTime(value: unknown): boolean {
  return isWholeNumber(value, 0) && (value as number) <= MAX_TIMER_MS;
}
