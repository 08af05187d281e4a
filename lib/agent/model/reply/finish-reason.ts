import { ModelError, type ModelName } from '../model-error.js';
import type { FinishReason } from '../model.js';

/**
 * What a provider's reason means to a loop. A reason that is missing, or that nobody knows, is an interruption: tools are run
 * only where the provider said that it was done.
 *
 * @throws ModelError `model_interrupted`
 */
export function finishReasonOf(
  model: ModelName,
  told: string | undefined,
  known: ReadonlyMap<string, FinishReason>,
): FinishReason {
  if (told === undefined) throw interrupted(model, 'it ended without a reason');
  const reason = known.get(told.toLowerCase());
  if (reason !== undefined) return reason;
  throw interrupted(model, `it ended for ${/^[\w-]{1,40}$/.test(told) ? `"${told}"` : 'a reason that is not known'}`);
}

function interrupted(model: ModelName, what: string): ModelError {
  return new ModelError('model_interrupted', model, { parameters: { what } });
}
