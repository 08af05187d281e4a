import { isDeclaredEgress } from '../common/index.js';
import { destinationLabel, isLoopback, type Destination } from './destination.js';
import type { EgressGuardOptions, UndeclaredEgress } from './egress-guard.options.js';
import { infrastructureTest, type InfrastructureTest } from './infrastructure.js';
import { openedBy } from './opened-by.js';
import { UndeclaredEgressError } from './undeclared-egress-error.js';

const MAX_DESTINATIONS = 1_000;

/** Judges connections by where they go and by who opened them. */
export class EgressGuard {
  readonly #options: EgressGuardOptions;
  readonly #isInfrastructure: InfrastructureTest;
  readonly #seen = new Map<string, UndeclaredEgress>();

  constructor(options: EgressGuardOptions) {
    this.#options = options;
    this.#isInfrastructure = infrastructureTest(options.infrastructure ?? []);
  }

  /** What was seen so far, one a destination, 1,000 at most. */
  get seen(): readonly UndeclaredEgress[] {
    return [...this.#seen.values()];
  }

  /** Undefined where a connection may be opened; else why not, and it has been told of. */
  judge(destination: Destination): UndeclaredEgressError | undefined {
    const { mode = 'report', checkLoopback = false } = this.#options;
    if (mode === 'off' || isDeclaredEgress()) return undefined;
    if ((!checkLoopback && isLoopback(destination)) || this.#isInfrastructure(destination)) return undefined;
    const label = destinationLabel(destination);
    this.#tell(label);
    return mode === 'enforce' ? new UndeclaredEgressError(label) : undefined;
  }

  #tell(destination: string): void {
    if (this.#seen.has(destination) || this.#seen.size >= MAX_DESTINATIONS) return;
    const seen = Object.freeze({ destination, openedBy: openedBy() });
    this.#seen.set(destination, seen);
    (this.#options.report ?? warn)(seen);
  }
}

function warn({ destination, openedBy: opener }: UndeclaredEgress): void {
  const by = opener === undefined ? '' : `, opened by ${opener}`;
  const warning = `A connection to ${destination} is no declared egress${by}. Send it through EgressHttpModule, or list it in \`infrastructure\`.`;
  process.emitWarning(warning, { type: 'UndeclaredEgress', code: 'egress_undeclared' });
}
