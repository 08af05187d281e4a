import { onAbort, type Clock } from '../../common/index.js';
import { AgentError } from '../agent-error.js';

/** A signal that aborts with another one, or when a time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Begins the time anew; with another length where one is given. */
  restart(ms?: number, what?: string): void;
  /** Ends it without an abort. */
  end(): void;
}

/**
 * @param ms undefined: only the outer signal aborts it
 * @param what what may not take longer, in words for the error
 */
export function timeLimit(clock: Clock, outer: AbortSignal, ms: number | undefined, what: string): TimeLimit {
  const controller = new AbortController();
  let stop = (): void => undefined;
  const start = (length: number | undefined, named: string): void => {
    stop();
    if (length === undefined) stop = () => undefined;
    else stop = clock.after(length, () => controller.abort(timedOut(named, length)));
  };
  const letGo = onAbort(outer, () => controller.abort(outer.reason));
  if (outer.aborted) controller.abort(outer.reason);
  start(ms, what);
  return {
    signal: controller.signal,
    restart: (length = ms, named = what) => start(length, named),
    end: () => {
      stop();
      letGo();
    },
  };
}

/** The work, or the reason of the signal as soon as it aborts: also where the work does not listen to it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let letGo = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else letGo = onAbort(signal, fail);
  });
  // Whichever comes second is nobody's to handle any more.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    letGo();
  }
}

function timedOut(what: string, ms: number): AgentError {
  return new AgentError('agent_timed_out', { parameters: { what, ms }, details: { what, ms } });
}
