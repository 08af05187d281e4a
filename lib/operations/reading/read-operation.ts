import type { BootFaults } from '../../common/index.js';
import { isMessageHandler, routeMetadata } from '../../internal/nest.js';
import { operationPlace, type OperationDescriptor } from '../operation.js';
import type { OperationSource } from './operation-source.js';
import { readMessageOperation } from './read-message-operation.js';
import { readRouteOperation } from './read-route-operation.js';

/** Reads one marked method. Undefined, with faults, where it cannot be an operation. A route comes before a pattern. */
export function readOperation(source: OperationSource, faults: BootFaults): OperationDescriptor | undefined {
  const route = routeMetadata(source.controller, source.methodName);
  if (route !== undefined) return readRouteOperation(source, route, faults);
  if (isMessageHandler(source.controller, source.methodName)) return readMessageOperation(source, faults);
  faults.add('operation_not_a_route', { operation: operationPlace(source.controller, source.methodName) });
  return undefined;
}
