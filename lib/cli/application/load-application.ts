import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import { CommandError } from '../command-error.js';
import { moduleReference } from './module-reference.js';
import { rootModule, type RootModule } from './root-module.js';

/** An application's module as its file exports it, not put together yet. */
export interface LoadedApplication {
  /** Absolute; platform packages are looked up from there. */
  readonly file: string;
  readonly module: RootModule;
  /** What the file does to the application before it starts: prefix, versioning. */
  readonly configure: ((app: INestApplication) => unknown) | undefined;
}

/**
 * Imports the file that `reference` names, ES module or CommonJS.
 *
 * @throws CommandError where there is no such file or no such module in it; whatever the file itself throws
 */
export async function loadApplication(reference: string, cwd: string): Promise<LoadedApplication> {
  const { file, exportName } = moduleReference(reference, cwd);
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}. Build the application first.`);
  const exports = await importFile(file);
  const configure: unknown = Reflect.get(exports, 'configure');
  return {
    file,
    module: await rootModule(exports, exportName, file),
    configure: typeof configure === 'function' ? (configure as LoadedApplication['configure']) : undefined,
  };
}

async function importFile(file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(file).href)) as object;
  } catch (error) {
    if (Reflect.get(Object(error) as object, 'code') !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    throw new CommandError(`Node cannot load "${extname(file)}" files. Name the JavaScript file that the build wrote.`);
  }
}
