import type { INestApplication, LoggerService } from '@nestjs/common';
import { InitializeOnPreviewAllowlist, NestFactory, RouterModule } from '@nestjs/core';
import { CommandError, EXIT_CODES } from '../command-error.js';
import type { OpenOptions } from '../command-line.js';
import type { CommandIo } from '../command-io.js';
import { httpAdapter } from './http-adapter.js';
import type { LoadedApplication } from './load-application.js';

/**
 * Puts an application together, reads it and lets it go. It never listens. In preview mode, the default, Nest scans modules
 * and creates no provider, so that nothing connects anywhere; with `boot` everything runs that runs before `listen`.
 *
 * @throws whatever keeps the application from booting
 */
export async function withApplication<Result>(
  loaded: LoadedApplication,
  options: OpenOptions,
  io: CommandIo,
  read: (app: INestApplication) => Result,
): Promise<Result> {
  // Its constructor is what gives modules their prefixes; it touches nothing else.
  InitializeOnPreviewAllowlist.add(RouterModule);
  const app = await NestFactory.create(loaded.module, await httpAdapter(loaded.file, options.platform), {
    preview: !options.boot,
    abortOnError: false,
    logger: options.boot ? stderrLogger(io) : false,
  });
  try {
    await configure(app, loaded, options);
    if (options.boot) await app.init();
    return read(app);
  } finally {
    // A fault of the boot must not be hidden by one of the shutdown that follows it.
    if (options.boot) await app.close().catch(() => undefined);
  }
}

async function configure(app: INestApplication, loaded: LoadedApplication, { boot }: OpenOptions): Promise<void> {
  try {
    await loaded.configure?.(app);
  } catch (error) {
    if (boot) throw error;
    throw new CommandError(
      `\`configure\` of ${loaded.file} failed: ${String(error)}\nIn preview mode there are no providers; with --boot there are.`,
      EXIT_CODES.notBooted,
    );
  }
}

/** What an application complains of while it boots. What ends the boot is told once, by the command. */
function stderrLogger(io: CommandIo): LoggerService {
  const tell = (message: unknown, ...rest: unknown[]) => {
    const context = rest.at(-1);
    if (context !== 'ExceptionHandler') io.stderr(`[${String(context ?? 'Nest')}] ${String(message)}\n`);
  };
  return { log: () => undefined, warn: tell, error: tell, fatal: tell };
}
