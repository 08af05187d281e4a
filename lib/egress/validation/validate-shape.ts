import { isStandardSchema, type StandardIssue, type StandardSchema } from '../declaration/standard-schema.js';
import type { EgressShape } from '../declaration/egress-shape.js';
import { dtoToWire, validateDtoArguments, validateDtoReply } from './dto-shape.js';
import { refusedShape, type ShapeFault, type ShapeResult } from './shape-fault.js';

/** Checks arguments and yields what goes on the wire. Without a shape only an empty object fits. */
export async function validateArguments(shape: EgressShape | undefined, value: unknown): Promise<ShapeResult> {
  if (shape === undefined) return emptyArguments(value);
  if (isStandardSchema(shape)) return validateStandard(shape, value);
  const result = await validateDtoArguments(shape, value);
  return 'faults' in result ? result : { value: dtoToWire(result.value) };
}

/** Checks what a tool is called with, and yields what it is given: an instance of the DTO, or the schema's output. */
export function validateInput(shape: EgressShape, value: unknown): Promise<ShapeResult> {
  return isStandardSchema(shape) ? validateStandard(shape, value) : validateDtoArguments(shape, value);
}

/** Checks a reply and yields what `invoke` answers: an instance of the DTO, or the schema's output. */
export function validateReply(shape: EgressShape, value: unknown): Promise<ShapeResult> {
  return isStandardSchema(shape) ? validateStandard(shape, value) : validateDtoReply(shape, value);
}

function emptyArguments(value: unknown): ShapeResult {
  if (value === undefined) return { value: {} };
  if (typeof value !== 'object' || value === null) return refusedShape([{ property: '', constraints: ['isObject'] }]);
  const unknown = Object.keys(value).map((property) => ({ property, constraints: ['whitelistValidation'] }));
  return unknown.length > 0 ? refusedShape(unknown) : { value: {} };
}

async function validateStandard(schema: StandardSchema, value: unknown): Promise<ShapeResult> {
  const result = await schema['~standard'].validate(value);
  return result.issues === undefined ? { value: result.value } : refusedShape(result.issues.map(faultOf));
}

/** The message of an issue may quote the value; its path does not, and neither does the code that most vendors add. */
function faultOf(issue: StandardIssue): ShapeFault {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  const code: unknown = Reflect.get(issue, 'code') ?? Reflect.get(issue, 'type');
  const isCode = typeof code === 'string' && /^[A-Za-z][\w.-]{0,60}$/.test(code);
  return { property: path.join('.'), constraints: [isCode ? code : 'invalid'] };
}
