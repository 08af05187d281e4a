import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { CommandError } from '../command-error.js';
import { PLATFORMS, type PlatformName } from '../command-line.js';

const ADAPTERS: Readonly<Record<PlatformName, { readonly packageName: string; readonly className: string }>> = {
  express: { packageName: '@nestjs/platform-express', className: 'ExpressAdapter' },
  fastify: { packageName: '@nestjs/platform-fastify', className: 'FastifyAdapter' },
};

/**
 * An adapter of the platform that the application itself would load. It never listens.
 *
 * @param file the package is looked up from there
 * @throws CommandError where the platform is not installed
 */
export async function httpAdapter(file: string, platform: PlatformName | undefined): Promise<AbstractHttpAdapter> {
  const wanted = platform === undefined ? PLATFORMS : [platform];
  for (const name of wanted) {
    const path = resolved(ADAPTERS[name].packageName, file);
    if (path !== undefined) return adapterOf(path, ADAPTERS[name].className);
  }
  const packages = wanted.map((name) => ADAPTERS[name].packageName).join(' or ');
  throw new CommandError(`No HTTP platform was found from ${file}. Install ${packages}.`);
}

function resolved(packageName: string, file: string): string | undefined {
  try {
    return createRequire(file).resolve(packageName);
  } catch {
    return undefined;
  }
}

type AdapterClasses = Readonly<Record<string, (new () => AbstractHttpAdapter) | undefined>>;

async function adapterOf(path: string, className: string): Promise<AbstractHttpAdapter> {
  const platform = (await import(pathToFileURL(path).href)) as AdapterClasses & { readonly default?: AdapterClasses };
  const Adapter = platform[className] ?? platform.default?.[className];
  if (Adapter === undefined) throw new CommandError(`${path} exports no ${className}.`);
  return new Adapter();
}
