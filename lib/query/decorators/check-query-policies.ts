import type { Type } from '@nestjs/common';
import type { BootFaults } from '../../common/index.js';
import { isMessageHandler, methodNames } from '../../internal/nest.js';
import { declaredInputs } from '../../operations/index.js';
import { QueryInput } from './query-input.js';

/** Tells every fault of the query policies that the methods of controllers use, operations or not. */
export function checkQueryPolicies(controllers: Iterable<Type>, faults: BootFaults): void {
  for (const controller of controllers) {
    const prototype = controller.prototype as object;
    for (const method of methodNames(prototype)) {
      for (const input of declaredInputs(prototype, method).values()) {
        if (!(input instanceof QueryInput)) continue;
        const where = `${controller.name}.${method}`;
        input.describeFor(prototype, method, undefined, { faults, where });
        // Also where the method is a route as well: its messages would be answered with everything.
        if (isMessageHandler(controller, method)) {
          const what = 'a message (@MessagePattern, @EventPattern)';
          faults.add('query_needs_http', { where, readModel: input.readModel.name, what });
        }
      }
    }
  }
}
