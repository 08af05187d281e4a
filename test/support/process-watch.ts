import { runInThisContext } from 'node:vm';

export interface ProcessWatch {
  /** Names of the warnings of the process, in order: `MaxListenersExceededWarning`. */
  readonly warnings: readonly string[];
  /** Reasons of rejections that nobody handled. */
  readonly rejections: readonly unknown[];
  stop(): void;
}

/** Watches what the whole process complains of. The test runner's own watch over rejections rests meanwhile. */
export function watchProcess(): ProcessWatch {
  // Tests see a copy of `process`, on which nothing of this is emitted.
  const realProcess = runInThisContext('process') as NodeJS.Process;
  const warnings: string[] = [];
  const rejections: unknown[] = [];
  const onWarning = ({ name }: Error): unknown => warnings.push(name);
  const onRejection = (reason: unknown): unknown => rejections.push(reason);
  const others = realProcess.listeners('unhandledRejection');
  realProcess.removeAllListeners('unhandledRejection');
  realProcess.on('warning', onWarning).on('unhandledRejection', onRejection);
  return {
    warnings,
    rejections,
    stop: () => {
      realProcess.off('warning', onWarning).off('unhandledRejection', onRejection);
      for (const listener of others) realProcess.on('unhandledRejection', listener);
    },
  };
}
