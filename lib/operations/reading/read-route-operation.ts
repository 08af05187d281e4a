import { RequestMethod } from '@nestjs/common';
import type { BootFaults } from '../../common/index.js';
import { parameterMetadata, type RouteMetadata } from '../../internal/nest.js';
import type { OperationKind } from '../decorators/operation.decorator.js';
import { operationPlace, type OperationDescriptor, type OperationRoute } from '../operation.js';
import { parseRouteTemplate } from '../route/route-template.js';
import { chooseAddress } from './choose-address.js';
import { describeOperation } from './describe-operation.js';
import { areParametersFit, isAnswerFit } from './fitness.js';
import type { OperationSource } from './operation-source.js';
import { readInput } from './read-input.js';

/** Reads a marked method that is an HTTP route. */
export function readRouteOperation(
  source: OperationSource,
  metadata: RouteMetadata,
  faults: BootFaults,
): OperationDescriptor | undefined {
  const { controller, methodName } = source;
  const place = operationPlace(controller, methodName);
  const kind = source.options.kind ?? kindOf(metadata.verb);
  if (kind === undefined) faults.add('operation_kind_undeclared', { operation: place });
  const parameters = parameterMetadata(controller, methodName);
  const isFit = [isAnswerFit(source, place, faults), areParametersFit(parameters, source, place, faults)];
  const httpMethod = httpMethodOf(metadata.verb, kind ?? 'query');
  const chosen = chooseAddress(metadata, source.options.address ?? {}, place, faults);
  const route: OperationRoute = { ...chosen, httpMethod, modulePath: source.modulePath };
  const pathParameters = pathParametersOf(route, place, faults);
  if (kind === undefined || pathParameters === undefined || isFit.includes(false)) return undefined;
  const input = readInput(source, parameters, pathParameters, faults);
  return input && describeOperation(source, { kind, route, input });
}

function kindOf(verb: RequestMethod): OperationKind | undefined {
  if (verb === RequestMethod.ALL) return undefined;
  return verb === RequestMethod.GET || verb === RequestMethod.HEAD ? 'query' : 'command';
}

/** A route for every verb is called by the one that says what the operation does. */
function httpMethodOf(verb: RequestMethod, kind: OperationKind): string {
  if (verb === RequestMethod.ALL) return kind === 'query' ? 'GET' : 'POST';
  return RequestMethod[verb];
}

function pathParametersOf(route: OperationRoute, place: string, faults: BootFaults): readonly string[] | undefined {
  const path = [route.modulePath, route.controllerPaths[0], route.methodPaths[0]].filter(Boolean).join('/');
  const template = parseRouteTemplate(path);
  if (template === undefined) {
    const what = `"${path}" has a wildcard or an optional part`;
    const repair = 'Mark a method whose path is fixed but for `:parameters`.';
    faults.add('operation_route_unresolved', { operation: place, what, repair });
  }
  return template && [...new Set(template.parameters)];
}
