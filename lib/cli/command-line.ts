import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CommandError } from './command-error.js';
import { USAGE } from './usage.js';

export const PLATFORMS = ['express', 'fastify'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/** How the application is put together before it is read. */
export interface OpenOptions {
  /** Runs the whole boot, providers and their hooks. Default: false, Nest's preview mode. */
  readonly boot: boolean;
  /** The HTTP platform. Default: the one that is installed, Express before Fastify. */
  readonly platform: PlatformName | undefined;
}

interface ModuleCommand extends OpenOptions {
  /** `path` or `path#ExportName`. */
  readonly module: string;
  readonly json: boolean;
}

export interface InspectCommand extends ModuleCommand {
  readonly name: 'inspect';
}

export interface SchemaCommand extends ModuleCommand {
  readonly name: 'schema';
  /** An operation's name, or the name of a tool. */
  readonly operation: string;
  readonly palette: string | undefined;
}

export interface LockCommand extends ModuleCommand {
  readonly name: 'lock';
  readonly check: boolean;
  readonly file: string;
}

export interface MigrateCommand {
  readonly name: 'migrate';
  /** The database's connection string. Default: the environment variable `DATABASE_URL`. */
  readonly url: string | undefined;
  readonly schema: string;
  readonly json: boolean;
}

export interface TellCommand {
  readonly name: 'tell';
  readonly what: 'usage' | 'version';
}

export type Command = InspectCommand | SchemaCommand | LockCommand | MigrateCommand | TellCommand;

const COMMON = {
  boot: { type: 'boolean', default: false },
  platform: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments that follow the program's name.
 *
 * @throws CommandError with exit code 2, naming what is wrong
 */
export function parseCommandLine(argv: readonly string[]): Command {
  if (argv.includes('--help') || argv.includes('-h') || argv[0] === 'help') return { name: 'tell', what: 'usage' };
  if (argv.includes('--version') || argv[0] === 'version') return { name: 'tell', what: 'version' };
  const [name, ...rest] = argv;
  if (name === 'inspect') return inspectCommand(rest);
  if (name === 'schema') return schemaCommand(rest);
  if (name === 'lock') return lockCommand(rest);
  if (name === 'migrate') return migrateCommand(rest);
  throw new CommandError(
    `${name === undefined ? 'No command was given.' : `There is no command "${name}".`}\n\n${USAGE}`,
  );
}

function inspectCommand(argv: readonly string[]): InspectCommand {
  const { values, positionals } = parse(argv, COMMON);
  const [module] = named(positionals, ['<module>']);
  return { name: 'inspect', module, json: values.json, ...openOptions(values) };
}

function schemaCommand(argv: readonly string[]): SchemaCommand {
  const { values, positionals } = parse(argv, { ...COMMON, palette: { type: 'string' } });
  const [module, operation] = named(positionals, ['<module>', '<operation>']);
  return { name: 'schema', module, operation, palette: values.palette, json: values.json, ...openOptions(values) };
}

function lockCommand(argv: readonly string[]): LockCommand {
  const { values, positionals } = parse(argv, {
    ...COMMON,
    check: { type: 'boolean', default: false },
    file: { type: 'string', default: 'palette.lock.json' },
  });
  const [module] = named(positionals, ['<module>']);
  const { check, file, json } = values;
  if (json && !check) throw new CommandError('`lock` writes a file; `--json` goes with `lock --check`.');
  return { name: 'lock', module, check, file, json, ...openOptions(values) };
}

function migrateCommand(argv: readonly string[]): MigrateCommand {
  const { values, positionals } = parse(argv, {
    url: { type: 'string' },
    schema: { type: 'string', default: 'public' },
    json: { type: 'boolean', default: false },
  });
  named(positionals, []);
  return { name: 'migrate', url: values.url, schema: values.schema, json: values.json };
}

type Options = NonNullable<ParseArgsConfig['options']>;

function parse<const Known extends Options>(argv: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function named<const Names extends readonly string[]>(
  positionals: readonly string[],
  names: Names,
): { readonly [Key in keyof Names]: string } {
  const missing = names.slice(positionals.length);
  const surplus = positionals.slice(names.length);
  if (missing.length > 0) throw new CommandError(`${missing.join(' and ')} is missing.\n\n${USAGE}`);
  if (surplus.length > 0) throw new CommandError(`"${surplus.join('", "')}" is one argument too many.\n\n${USAGE}`);
  return positionals as unknown as { readonly [Key in keyof Names]: string };
}

function openOptions({ boot, platform }: { boot: boolean; platform?: string | undefined }): OpenOptions {
  const known = PLATFORMS.find((each) => each === platform);
  if (platform !== undefined && known === undefined) {
    throw new CommandError(`--platform is ${PLATFORMS.join(' or ')}, not "${platform}".`);
  }
  return { boot, platform: known };
}
