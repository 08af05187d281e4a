export { FakeClock } from './fake-clock.js';
export { ScriptedModel, type ScriptedModelOptions } from './scripted-model.js';
export type {
  ScriptedAnswer,
  ScriptedFailure,
  ScriptedReply,
  ScriptedResponder,
  ScriptedStep,
  ScriptedToolCall,
} from './scripted-reply.js';
export {
  storeConformance,
  type ConformanceCase,
  type CreateStore,
  type StoreUnderTest,
} from './store-conformance/index.js';
