import type { DynamicModule, Type } from '@nestjs/common';
import { isModuleClass } from '../../internal/nest.js';
import { CommandError } from '../command-error.js';

export type RootModule = Type | DynamicModule;

const DEFAULT_EXPORT_NAME = 'AppModule';

/**
 * The root module among the exports of a file: the one named, else `AppModule`, else the only one that is a module. A
 * function is called, without arguments, for the module that it returns.
 *
 * @param exports the namespace of an ES module; that of a CommonJS file has its exports on `default` as well
 * @throws CommandError where no export, or more than one, is meant
 */
export async function rootModule(exports: object, exportName: string | undefined, file: string): Promise<RootModule> {
  const named = exportsByName(exports);
  const name = exportName ?? (named.has(DEFAULT_EXPORT_NAME) ? DEFAULT_EXPORT_NAME : onlyModule(named, file));
  if (!named.has(name)) throw new CommandError(`${file} has no export "${name}". ${listing(named)}`);
  const chosen = named.get(name);
  const resolved: unknown = isFactory(chosen) ? await chosen() : await chosen;
  if (isDynamicModule(resolved) || isClass(resolved)) return resolved;
  throw new CommandError(
    `The export "${name}" of ${file} is no module. Export a module class, a dynamic module, or a function without parameters that returns one.`,
  );
}

function exportsByName(exports: object): ReadonlyMap<string, unknown> {
  const ofCommonJs: unknown = Reflect.get(exports, 'default');
  const inner = typeof ofCommonJs === 'object' && ofCommonJs !== null ? Object.entries(ofCommonJs) : [];
  return new Map([...inner, ...Object.entries(exports)]);
}

function onlyModule(named: ReadonlyMap<string, unknown>, file: string): string {
  const byValue = new Map<unknown, string>();
  for (const [name, value] of named) {
    if ((isModuleClass(value) || isDynamicModule(value)) && !byValue.has(value)) byValue.set(value, name);
  }
  const [only, ...others] = byValue.values();
  if (only !== undefined && others.length === 0) return only;
  const what =
    only === undefined
      ? `${file} exports no module. Is it the file of the root module, and not the one that starts the application?`
      : `${file} exports several modules and none is named "${DEFAULT_EXPORT_NAME}".`;
  throw new CommandError(`${what} Name the export: <file>#ExportName. ${listing(named)}`);
}

function listing(named: ReadonlyMap<string, unknown>): string {
  return named.size === 0 ? 'It exports nothing.' : `It exports: ${[...named.keys()].join(', ')}.`;
}

function isDynamicModule(value: unknown): value is DynamicModule {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'module') === 'function';
}

/** `@Module({})` leaves no mark on a class: there the syntax decides between a class and a function. */
function isClass(value: unknown): value is Type {
  return (
    typeof value === 'function' && (isModuleClass(value) || /^class\b/.test(Function.prototype.toString.call(value)))
  );
}

function isFactory(value: unknown): value is () => unknown {
  return typeof value === 'function' && !isClass(value);
}
