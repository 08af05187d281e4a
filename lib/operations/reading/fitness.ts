import type { BootFaults } from '../../common/index.js';
import { routeMarks, type ParameterMetadata, type ParameterSource, type RouteMark } from '../../internal/nest.js';
import type { OperationAllowance } from '../decorators/operation.decorator.js';
import type { OperationSource } from './operation-source.js';

const MARK_FAULTS: Readonly<Record<RouteMark, string>> = {
  sse: 'answers with a stream of events (@Sse)',
  render: 'answers with a rendered page (@Render)',
  redirect: 'answers with a redirect (@Redirect)',
};

/** Whether a tool can be told what the route answers. */
export function isAnswerFit(
  { controller, methodName, options }: OperationSource,
  place: string,
  faults: BootFaults,
): boolean {
  const marks = routeMarks(controller, methodName).filter((mark) => !options.allow?.includes(mark));
  for (const mark of marks) {
    const repair = `Mark a method that answers with data instead, or say \`allow: ['${mark}']\`.`;
    faults.add('operation_input_unsupported', { operation: place, what: MARK_FAULTS[mark], repair });
  }
  return marks.length === 0;
}

const PARAMETER_FAULTS = {
  file: { what: 'takes an uploaded file', allowance: 'upload' },
  files: { what: 'takes uploaded files', allowance: 'upload' },
  rawBody: { what: 'reads the raw body', allowance: 'rawBody' },
} as const satisfies Partial<Record<ParameterSource, { what: string; allowance: OperationAllowance }>>;

/** Whether a tool call can carry what the parameters ask for. */
export function areParametersFit(
  parameters: readonly ParameterMetadata[],
  { options }: OperationSource,
  place: string,
  faults: BootFaults,
): boolean {
  let isFit = true;
  for (const { source, index } of parameters) {
    const fault = Object.hasOwn(PARAMETER_FAULTS, source)
      ? PARAMETER_FAULTS[source as keyof typeof PARAMETER_FAULTS]
      : undefined;
    if (fault === undefined || options.allow?.includes(fault.allowance)) continue;
    const what = `${fault.what} (parameter ${index})`;
    const repair = `A tool call carries JSON: mark a method that takes JSON, or say \`allow: ['${fault.allowance}']\`.`;
    faults.add('operation_input_unsupported', { operation: place, what, repair });
    isFit = false;
  }
  return isFit;
}
