import { EgressGuard } from './egress-guard.js';
import type { EgressGuardOptions, UndeclaredEgress } from './egress-guard.options.js';
import { watchConnections } from './watch-connections.js';

export interface InstalledEgressGuard {
  /** What was seen so far: one a destination, 1,000 at most. */
  readonly seen: readonly UndeclaredEgress[];
  /** Lets every connection pass again. */
  uninstall(): void;
}

let installed: InstalledEgressGuard | undefined;

/**
 * Watches the connections that this process (or this worker thread) opens, and tells of those that no declared egress
 * service opened; in the mode `enforce` they are closed before anything is sent, with `UndeclaredEgressError`
 * (`egress_undeclared`). A second call replaces the first one's options.
 *
 * It is a detector of mistakes, no sandbox: name look-ups, UDP, native code and processes other than Node's pass it.
 *
 * @throws TypeError for an entry of `infrastructure` that cannot be read
 */
export function installEgressGuard(options: EgressGuardOptions = {}): InstalledEgressGuard {
  const guard = new EgressGuard(options);
  installed?.uninstall();
  const stop = options.mode === 'off' ? () => undefined : watchConnections(guard);
  const own: InstalledEgressGuard = {
    get seen() {
      return guard.seen;
    },
    uninstall() {
      stop();
      if (installed === own) installed = undefined;
    },
  };
  installed = own;
  return own;
}
