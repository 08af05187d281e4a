import type { BootFaults } from '../../common/index.js';
import { messageMetadata, messageParameters } from '../../internal/nest.js';
import { operationPlace, type OperationDescriptor } from '../operation.js';
import { describeOperation } from './describe-operation.js';
import type { OperationSource } from './operation-source.js';
import { readInput } from './read-input.js';

/** Reads a marked method that answers a message pattern. It has no verb: unless it says otherwise it is a command. */
export function readMessageOperation(source: OperationSource, faults: BootFaults): OperationDescriptor | undefined {
  const { controller, methodName, options } = source;
  const { patterns, isEvent } = messageMetadata(controller, methodName);
  if (isEvent) {
    faults.add('operation_input_unsupported', {
      operation: operationPlace(controller, methodName),
      what: 'handles an event (@EventPattern), which has no answer',
      repair: 'Mark a method with @MessagePattern instead.',
    });
    return undefined;
  }
  const input = readInput(source, messageParameters(controller, methodName), [], faults);
  return input && describeOperation(source, { kind: options.kind ?? 'command', input, message: { patterns } });
}
