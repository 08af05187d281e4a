/**
 * This process stops driving a run that is not over: it stays open, for another one to go on with. The reason of the signal that
 * says so; every other abort ends the run.
 */
export class RunLeft extends Error {
  override readonly name = 'RunLeft';

  constructor() {
    super('the run is left to another process');
  }
}

export function isLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof RunLeft;
}
