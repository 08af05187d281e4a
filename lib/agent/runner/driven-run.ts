import { onAbort } from '../../common/index.js';
import { isLeft, RunLeft } from '../run/index.js';

/** A run that this process drives: which one that is, and what ends the driving. */
export class DrivenRun {
  readonly #controller = new AbortController();
  readonly #letGo: () => void;
  #tell: (runId: string | undefined) => void = () => undefined;
  /** Known as soon as the run is begun or taken up. Undefined: there was none to be driven. */
  readonly runId = new Promise<string | undefined>((resolve) => (this.#tell = resolve));

  /** @param leave leaves the run open where it aborts, for another process to go on with */
  constructor(leave: AbortSignal | undefined) {
    const left = (): void => this.#controller.abort(new RunLeft());
    this.#letGo = leave === undefined ? () => undefined : onAbort(leave, left);
    if (leave?.aborted) left();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begun(runId: string | undefined): void {
    this.#tell(runId);
  }

  /** False: it was left before, and goes on elsewhere. */
  cancel(): boolean {
    this.#controller.abort();
    return !isLeft(this.signal);
  }

  /** It is not driven any more. */
  over(): void {
    this.#letGo();
    this.#tell(undefined);
  }
}
