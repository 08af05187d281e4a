import { runInThisContext } from 'node:vm';

export interface ProcessWatch {
  /** Names of the warnings of the process, in order: `MaxListenersExceededWarning`. */
  readonly warnings: readonly string[];
  /** Reasons of rejections that nobody handled. */
  readonly rejections: readonly unknown[];
  /** What was thrown where nobody could catch it. */
  readonly exceptions: readonly unknown[];
  stop(): void;
}

/** Watches what the whole process complains of. The test runner's own watch over rejections and exceptions rests meanwhile. */
export function watchProcess(): ProcessWatch {
  // Tests see a copy of `process`, on which nothing of this is emitted.
  const realProcess = runInThisContext('process') as NodeJS.Process;
  const warnings: string[] = [];
  const rejections: unknown[] = [];
  const exceptions: unknown[] = [];
  const onWarning = ({ name }: Error): unknown => warnings.push(name);
  const onRejection = (reason: unknown): unknown => rejections.push(reason);
  const onException = (error: unknown): unknown => exceptions.push(error);
  const others = realProcess.listeners('unhandledRejection');
  const catchers = realProcess.listeners('uncaughtException');
  realProcess.removeAllListeners('unhandledRejection').removeAllListeners('uncaughtException');
  realProcess.on('warning', onWarning).on('unhandledRejection', onRejection).on('uncaughtException', onException);
  return {
    warnings,
    rejections,
    exceptions,
    stop: () => {
      realProcess.off('warning', onWarning);
      realProcess.off('unhandledRejection', onRejection).off('uncaughtException', onException);
      for (const listener of others) realProcess.on('unhandledRejection', listener);
      for (const listener of catchers) realProcess.on('uncaughtException', listener);
    },
  };
}
