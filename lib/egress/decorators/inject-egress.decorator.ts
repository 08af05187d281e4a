import { Inject } from '@nestjs/common';
import type { EgressService } from '../declaration/egress-service.js';

/**
 * Injects the client of a declared service.
 *
 * @example constructor(@InjectEgress(modelService) private readonly model: EgressClient<typeof modelService>) {}
 */
export function InjectEgress(service: EgressService): ParameterDecorator & PropertyDecorator {
  return Inject(egressToken(service));
}

/** The injection token of a service's client, for `overrideProvider` and `app.get`. */
export function egressToken(service: EgressService): symbol {
  return service.token;
}
