import { errorMessage, type ErrorCode, type MessageParameters } from './error-codes.js';
import { PaletteError } from './palette-error.js';

/** One thing that is wrong with how an application is put together. */
export interface BootFault {
  readonly code: ErrorCode;
  readonly message: string;
}

export function bootFault(code: ErrorCode, parameters: MessageParameters): BootFault {
  return { code, message: errorMessage(code, parameters) };
}

/** Thrown once at boot, with every fault that was found. `code` is that of the first. */
export class PaletteBootError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:PaletteBootError');

  constructor(readonly faults: readonly [BootFault, ...BootFault[]]) {
    super(faults[0].code, { message: bootMessage(faults), details: faults });
  }
}

/** Collects faults, so that a developer sees all of them in one run. */
export class BootFaults {
  readonly #faults: BootFault[] = [];

  add(code: ErrorCode, parameters: MessageParameters): void {
    this.include([bootFault(code, parameters)]);
  }

  /** Takes over faults that were found elsewhere; one that is known already is told once. */
  include(faults: readonly BootFault[]): void {
    for (const fault of faults) {
      if (!this.#faults.some(({ code, message }) => code === fault.code && message === fault.message)) {
        this.#faults.push(fault);
      }
    }
  }

  get list(): readonly BootFault[] {
    return this.#faults;
  }

  /** @throws PaletteBootError with every fault collected so far, if there is one. */
  throwIfAny(): void {
    const [first, ...rest] = this.#faults;
    if (first) throw new PaletteBootError([first, ...rest]);
  }
}

function bootMessage(faults: readonly BootFault[]): string {
  const [first, ...rest] = faults;
  return [first?.message ?? '', ...rest.map((fault) => `[${fault.code}] ${fault.message}`)].join('\n');
}
