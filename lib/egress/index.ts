export type { EgressCallOptions } from './call/egress-call-options.js';
export {
  egressOperation,
  type ArgumentName,
  type EgressArguments,
  type EgressMethod,
  type EgressOperation,
  type EgressOperationDeclaration,
  type EgressReplyOf,
} from './declaration/egress-operation.js';
export { egressService, type EgressOperationOf, type EgressService } from './declaration/egress-service.js';
export type { DtoClass, EgressShape, ShapeInput, ShapeOutput } from './declaration/egress-shape.js';
export type { StandardIssue, StandardResult, StandardSchema } from './declaration/standard-schema.js';
export { InjectEgress, egressToken } from './decorators/inject-egress.decorator.js';
export { EgressClient } from './egress-client.js';
export { bearer, headerCredential, type EgressCredentials, type SecretProvider } from './egress-credentials.js';
export { EgressError, type EgressCallName, type EgressErrorCode, type EgressErrorOptions } from './egress-error.js';
export { EgressHttpModule } from './egress-http.module.js';
export type {
  DataEgressAcknowledgement,
  EgressAgentOptions,
  EgressHttpModuleOptions,
  EgressRetryOptions,
  EgressServiceOptions,
} from './egress-http.options.js';
export {
  EgressManifest,
  type EgressDestination,
  type EgressManifestOperation,
  type EgressManifestService,
  type EgressPolicy,
} from './egress-manifest.js';
export {
  EgressHandlers,
  type EgressHandler,
  type EgressHandlerAnswer,
  type EgressHandlerArguments,
  type EgressHandlerCall,
} from './handlers/egress-handlers.js';
export { EgressReply, type EgressChunk, type EgressChunks, type EgressReplyHead } from './handlers/egress-reply.js';
export type { EgressFetch } from './sdk/egress-fetch.js';
export { sdkOptions, type EgressSdkOptions } from './sdk/sdk-options.js';
export type { EgressItems } from './stream/decoded-stream.js';
export type { EgressStream } from './stream/egress-stream.js';
export { ndjson } from './stream/ndjson.js';
export { sse, type ServerSentEvent, type SseOptions } from './stream/sse.js';
export { validateInput } from './validation/validate-shape.js';
