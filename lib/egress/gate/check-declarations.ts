import type { BootFaults } from '../../common/index.js';
import type { EgressService } from '../declaration/egress-service.js';
import type { EgressSettings } from './egress-settings.js';
import { sensitiveFields } from './sensitive-fields.js';

/** Reports what only shows where declarations and configuration meet. */
export function reportMismatches(
  services: readonly EgressService[],
  settings: EgressSettings,
  faults: BootFaults,
): void {
  const declared = new Map<string, EgressService>();
  for (const service of new Set(services)) {
    const first = declared.get(service.name);
    if (first !== undefined) {
      const where = `Egress service "${service.name}"`;
      faults.add('egress_declaration_invalid', { where, what: 'two declarations have this name' });
    }
    declared.set(service.name, service);
    reportService(service, settings, faults);
  }
}

function reportService(service: EgressService, settings: EgressSettings, faults: BootFaults): void {
  if (!settings.configured.has(service.name)) {
    faults.add('egress_service_unconfigured', { service: service.name });
    return;
  }
  const configured = settings.services.get(service.name);
  if (configured === undefined || configured.isSensitive) return;
  for (const operation of service.operations) {
    for (const field of sensitiveFields(operation.args)) {
      const call = `${service.name}.${operation.name}`;
      faults.add('egress_sensitive_field', { field, operation: call, service: service.name });
    }
  }
}
