import { RequestMethod, type Type } from '@nestjs/common';
import { PaletteBootError, type BootFaults } from '../common/index.js';
import {
  parameterMetadata,
  routeMarks,
  routeMetadata,
  type ParameterMetadata,
  type RouteMark,
} from '../internal/nest.js';
import type { OperationAnnotations, OperationKind, OperationOptions } from './decorators/operation.decorator.js';
import { declaredInputs } from './input/declared-input.js';
import { operationInput, type OperationInput } from './input/operation-input.js';
import { readSlots } from './input/slots.js';
import { operationPlace, type OperationDescriptor, type OperationRoute } from './operation.js';
import { defaultOperationName } from './operation-name.js';
import { parseRouteTemplate } from './route/route-template.js';
import { SchemaContext } from './schema/index.js';

export interface OperationSource {
  readonly controller: Type;
  readonly methodName: string;
  readonly options: OperationOptions;
  /** The prefix that `RouterModule` gave to the controller's module. */
  readonly modulePath: string | undefined;
}

/** Reads one marked method. Undefined, with faults, where it cannot be an operation. */
export function readOperation(source: OperationSource, faults: BootFaults): OperationDescriptor | undefined {
  const place = operationPlace(source.controller, source.methodName);
  const metadata = routeMetadata(source.controller, source.methodName);
  if (metadata === undefined) {
    faults.add('operation_not_a_route', { operation: place });
    return undefined;
  }
  const kind = source.options.kind ?? kindOf(metadata.verb);
  const parameters = parameterMetadata(source.controller, source.methodName);
  const isFit = [kind !== undefined, isAnswerFit(source, place, faults), areParametersFit(parameters, place, faults)];
  if (kind === undefined) faults.add('operation_kind_undeclared', { operation: place });
  const route: OperationRoute = {
    ...metadata,
    httpMethod: httpMethodOf(metadata.verb, kind ?? 'query'),
    modulePath: source.modulePath,
  };
  const pathParameters = pathParametersOf(route, place, faults);
  if (kind === undefined || pathParameters === undefined || isFit.includes(false)) return undefined;
  const input = attempt(() => readInput(source, place, parameters, pathParameters), faults);
  return input && describe(source, kind, route, input);
}

/** A declared input (a query policy, say) reports its own faults by throwing them. */
function attempt<T>(read: () => T, faults: BootFaults): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!PaletteBootError.isInstance(error)) throw error;
    faults.include(error.faults);
    return undefined;
  }
}

function describe(
  source: OperationSource,
  kind: OperationKind,
  route: OperationRoute,
  input: OperationInput,
): OperationDescriptor {
  const { controller, methodName, options } = source;
  return Object.freeze({
    name: options.name ?? defaultOperationName(controller, route.controllerPaths[0] ?? '/', methodName),
    kind,
    description: options.description ?? '',
    sensitive: options.sensitive ?? false,
    annotations: annotationsOf(kind, route.httpMethod, options.annotations),
    controller,
    methodName,
    handler: (controller.prototype as Record<string, OperationDescriptor['handler']>)[
      methodName
    ] as OperationDescriptor['handler'],
    route: Object.freeze(route),
    input,
  });
}

function readInput(
  source: OperationSource,
  at: string,
  parameters: readonly ParameterMetadata[],
  pathParameters: readonly string[],
): OperationInput {
  const context = new SchemaContext();
  const declared = declaredInputs(source.controller.prototype as object, source.methodName);
  return operationInput(readSlots({ parameters, declared, pathParameters, at, context }), context);
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

function annotationsOf(
  kind: OperationKind,
  httpMethod: string,
  stated: OperationAnnotations = {},
): Required<OperationAnnotations> {
  return Object.freeze({
    readOnly: stated.readOnly ?? kind === 'query',
    destructive: stated.destructive ?? httpMethod === 'DELETE',
    idempotent: stated.idempotent ?? ['GET', 'HEAD', 'PUT', 'DELETE'].includes(httpMethod),
  });
}

const MARK_FAULTS: Readonly<Record<RouteMark, string>> = {
  sse: 'answers with a stream of events (@Sse)',
  render: 'answers with a rendered page (@Render)',
  redirect: 'answers with a redirect (@Redirect)',
};

function isAnswerFit(source: OperationSource, place: string, faults: BootFaults): boolean {
  const marks = routeMarks(source.controller, source.methodName);
  for (const mark of marks) {
    const repair = 'Mark a method that answers with data instead.';
    faults.add('operation_input_unsupported', { operation: place, what: MARK_FAULTS[mark], repair });
  }
  return marks.length === 0;
}

const PARAMETER_FAULTS = {
  file: 'takes an uploaded file',
  files: 'takes uploaded files',
  rawBody: 'reads the raw body',
} as const;

function areParametersFit(parameters: readonly ParameterMetadata[], place: string, faults: BootFaults): boolean {
  const unfit = parameters.filter((parameter) => Object.hasOwn(PARAMETER_FAULTS, parameter.source));
  for (const parameter of unfit) {
    const what = `${PARAMETER_FAULTS[parameter.source as keyof typeof PARAMETER_FAULTS]} (parameter ${parameter.index})`;
    const repair = 'A tool call carries JSON: mark a method that takes JSON instead.';
    faults.add('operation_input_unsupported', { operation: place, what, repair });
  }
  return unfit.length === 0;
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
