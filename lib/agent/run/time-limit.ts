import { onAbort, type Clock } from '../../common/index.js';
import { AgentError } from '../agent-error.js';

/** A signal that aborts with another one, or when a time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Begins another time in place of the one that runs. */
  restart(ms: number | undefined, what: string): void;
  /** Stops the time, until it is restarted. */
  pause(): void;
  /** Ends it without an abort. */
  end(): void;
}

/**
 * @param ms undefined: only the outer signal aborts it
 * @param what what may not take longer, in words for the error
 */
export function timeLimit(clock: Clock, outer: AbortSignal, ms: number | undefined, what: string): TimeLimit {
  return ms === undefined ? noLimit(outer) : pausedLimit(clock, outer, ms, what);
}

function noLimit(signal: AbortSignal): TimeLimit {
  return { signal, restart: () => undefined, pause: () => undefined, end: () => undefined };
}

/** As `timeLimit`; without `ms` its time begins with the first `restart` that has some. */
export function pausedLimit(clock: Clock, outer: AbortSignal, ms: number | undefined, what: string): TimeLimit {
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
    restart: start,
    pause: () => stop(),
    end: () => {
      stop();
      letGo();
    },
  };
}

/**
 * The work, or the reason of the signal as soon as it aborts: also where the work does not listen to it, and where it does and says
 * so in words of its own.
 */
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
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    letGo();
  }
}

function timedOut(what: string, ms: number): AgentError {
  return new AgentError('agent_timed_out', { parameters: { what, ms }, details: { what, ms } });
}
