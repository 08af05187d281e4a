/** What was seen: once for each destination. */
export interface UndeclaredEgress {
  /** `host:port` */
  readonly destination: string;
  /** The first line of the stack outside of Node and of this library; undefined where nothing of it was left. */
  readonly openedBy: string | undefined;
}

export interface EgressGuardOptions {
  /** `report` tells of undeclared connections, `enforce` closes them as well. Default: `report`. */
  readonly mode?: 'off' | 'report' | 'enforce';
  /** Databases, brokers and caches of the application: `db.internal:5432`, or a host for all of its ports. Default: none. */
  readonly infrastructure?: readonly string[];
  /** Whether connections to this machine itself are looked at too. Default: false. */
  readonly checkLoopback?: boolean;
  /** Told once of each destination. Default: a warning of the process, with the code `egress_undeclared`. */
  readonly report?: (seen: UndeclaredEgress) => void;
}

/**
 * The options that the environment gives: `NESTJS_PALETTE_EGRESS_GUARD` (the mode), `NESTJS_PALETTE_EGRESS_INFRASTRUCTURE`
 * (entries with commas between) and `NESTJS_PALETTE_EGRESS_LOOPBACK` (`check`). Undefined where it gives no mode.
 * @throws TypeError for a mode that there is none of
 */
export function optionsOfEnvironment(environment: NodeJS.ProcessEnv): EgressGuardOptions | undefined {
  const mode = environment['NESTJS_PALETTE_EGRESS_GUARD'];
  if (mode === undefined || mode === '') return undefined;
  if (mode !== 'off' && mode !== 'report' && mode !== 'enforce') {
    throw new TypeError('NESTJS_PALETTE_EGRESS_GUARD is none of "off", "report" and "enforce".');
  }
  const listed = environment['NESTJS_PALETTE_EGRESS_INFRASTRUCTURE'] ?? '';
  const infrastructure = listed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return { mode, infrastructure, checkLoopback: environment['NESTJS_PALETTE_EGRESS_LOOPBACK'] === 'check' };
}
