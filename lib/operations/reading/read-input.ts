import { PaletteBootError, type BootFaults } from '../../common/index.js';
import { handlerOf, type ParameterMetadata } from '../../internal/nest.js';
import { declaredInputs } from '../input/declared-input.js';
import { operationInput, type OperationInput } from '../input/operation-input.js';
import { readSlots } from '../input/slots.js';
import { operationPlace } from '../operation.js';
import { documentedOperation, SchemaContext } from '../schema/index.js';
import type { OperationSource } from './operation-source.js';

/** Reads the input of a method. Undefined where a declared input (a query policy, say) throws faults of its own. */
export function readInput(
  { controller, methodName, pipes, pipeInstance }: OperationSource,
  decorated: readonly ParameterMetadata[],
  pathParameters: readonly string[],
  faults: BootFaults,
): OperationInput | undefined {
  const context = new SchemaContext();
  const declared = declaredInputs(controller.prototype as object, methodName);
  const at = operationPlace(controller, methodName);
  const documented = documentedOperation(handlerOf(controller, methodName));
  const parameters = decorated.map((each) => ({ ...each, pipes: each.pipes.map(pipeInstance) }));
  try {
    return operationInput(readSlots({ parameters, pipes, declared, documented, pathParameters, at, context }), context);
  } catch (error) {
    if (!PaletteBootError.isInstance(error)) throw error;
    faults.include(error.faults);
    return undefined;
  }
}
