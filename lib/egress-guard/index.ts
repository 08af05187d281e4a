import { optionsOfEnvironment } from './egress-guard.options.js';
import { installEgressGuard } from './install.js';

export type { EgressGuardOptions, UndeclaredEgress } from './egress-guard.options.js';
export { installEgressGuard, type InstalledEgressGuard } from './install.js';
export { UndeclaredEgressError } from './undeclared-egress-error.js';

// `NODE_OPTIONS=--require nestjs-palette/egress-guard` has nobody to call a function.
const options = optionsOfEnvironment(process.env);
if (options !== undefined) installEgressGuard(options);
