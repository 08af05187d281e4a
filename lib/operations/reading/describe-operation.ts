import { handlerOf } from '../../internal/nest.js';
import type { OperationAnnotations, OperationKind, OperationOptions } from '../decorators/operation.decorator.js';
import type { OperationInput } from '../input/operation-input.js';
import type { OperationDescriptor, OperationMessage, OperationRoute } from '../operation.js';
import { defaultOperationName } from '../operation-name.js';
import { documentedOperation } from '../schema/index.js';
import type { OperationSource } from './operation-source.js';

export interface OperationFacts {
  readonly kind: OperationKind;
  readonly input: OperationInput;
  readonly route?: OperationRoute;
  readonly message?: OperationMessage;
}

/** Puts an operation together from what its method, its route or its pattern say. */
export function describeOperation(source: OperationSource, facts: OperationFacts): OperationDescriptor {
  const { controller, methodName, options } = source;
  const handler = handlerOf(controller, methodName) as OperationDescriptor['handler'];
  return Object.freeze({
    name: options.name ?? defaultOperationName(controller, facts.route?.controllerPaths[0] ?? '/', methodName),
    kind: facts.kind,
    description: options.description ?? documentedOperation(handler).description,
    sensitive: options.sensitive ?? false,
    annotations: annotationsOf(facts, options),
    allow: new Set(options.allow),
    approval: options.approval,
    transactional: options.transactional ?? false,
    controller,
    methodName,
    handler,
    route: facts.route && Object.freeze(facts.route),
    message: facts.message && Object.freeze(facts.message),
    input: facts.input,
  });
}

function annotationsOf(
  { kind, route }: OperationFacts,
  { annotations = {} }: OperationOptions,
): Required<OperationAnnotations> {
  // A GET that acts is no repeatable verb: its owner says that it does more than its verb.
  const repeatable = kind === 'query' ? ['GET', 'HEAD', 'PUT', 'DELETE'] : ['PUT', 'DELETE'];
  return Object.freeze({
    readOnly: annotations.readOnly ?? kind === 'query',
    destructive: annotations.destructive ?? route?.httpMethod === 'DELETE',
    idempotent: annotations.idempotent ?? (route !== undefined && repeatable.includes(route.httpMethod)),
  });
}
