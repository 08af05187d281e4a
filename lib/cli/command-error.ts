/** What the process ends with, for scripts and CI. */
export const EXIT_CODES = Object.freeze({
  ok: 0,
  /** `lock --check`: the application's surface is not the one that was locked. */
  different: 1,
  /** The command cannot be run as it was given. */
  usage: 2,
  /** The application cannot be loaded, or does not boot. */
  notBooted: 3,
  /** `migrate`: the database does not answer, or refuses. */
  database: 4,
});

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Ends a command with a message for whoever typed it; what is thrown otherwise is the application's. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT_CODES.usage,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}
