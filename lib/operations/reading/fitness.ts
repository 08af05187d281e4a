import type { Type } from '@nestjs/common';
import type { BootFaults } from '../../common/index.js';
import { routeMarks, type ParameterMetadata, type RouteMark } from '../../internal/nest.js';

const MARK_FAULTS: Readonly<Record<RouteMark, string>> = {
  sse: 'answers with a stream of events (@Sse)',
  render: 'answers with a rendered page (@Render)',
  redirect: 'answers with a redirect (@Redirect)',
};

/** Whether a tool can be told what the route answers. */
export function isAnswerFit(controller: Type, methodName: string, place: string, faults: BootFaults): boolean {
  const marks = routeMarks(controller, methodName);
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

/** Whether a tool call can carry what the parameters ask for. */
export function areParametersFit(parameters: readonly ParameterMetadata[], place: string, faults: BootFaults): boolean {
  const unfit = parameters.filter((parameter) => Object.hasOwn(PARAMETER_FAULTS, parameter.source));
  for (const parameter of unfit) {
    const what = `${PARAMETER_FAULTS[parameter.source as keyof typeof PARAMETER_FAULTS]} (parameter ${parameter.index})`;
    const repair = 'A tool call carries JSON: mark a method that takes JSON instead.';
    faults.add('operation_input_unsupported', { operation: place, what, repair });
  }
  return unfit.length === 0;
}
