export { asDeclaredEgress, isDeclaredEgress } from './declared-egress.js';
export { bootFault, BootFaults, PaletteBootError, type BootFault } from './boot-faults.js';
export type { CallerContext } from './caller-context.js';
export { canonicalDigest } from './canonical-json.js';
export { systemClock, type Clock } from './clock.js';
export {
  ERROR_CODES,
  errorMessage,
  type ErrorActor,
  type ErrorCode,
  type ErrorCodeEntry,
  type MessageParameters,
} from './error-codes.js';
export { foreignText } from './foreign-text.js';
export { toHttpException, type RefusalBody } from './http-exception.js';
export {
  deepFreeze,
  isPlainObject,
  ownValue,
  pointerSegment,
  setOwn,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from './json.js';
export type { JsonSchema, JsonSchemaType } from './json-schema.js';
export { onAbort } from './on-abort.js';
export { PaletteError, type PaletteErrorOptions } from './palette-error.js';
export { principalSnapshot, type Principal } from './principal.js';
export { rawRequestOf } from './raw-request.js';
export { Sensitive, sensitiveLabelOf, sensitivePropertyLabelOf } from './sensitive.js';
export { MAX_TIMER_MS } from './timer.js';
