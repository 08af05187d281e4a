import type { ModelUsage } from '../model.js';
import { countOf, recordOf, type JsonRecord } from '../reply/read-json.js';

/** `usage` of chat completions. */
export function chatUsage(usage: JsonRecord): ModelUsage {
  return {
    inputTokens: countOf(usage['prompt_tokens']),
    outputTokens: countOf(usage['completion_tokens']),
    cachedInputTokens:
      countOf(recordOf(usage['prompt_tokens_details'])?.['cached_tokens']) ?? countOf(usage['prompt_cache_hit_tokens']),
    reasoningTokens: countOf(recordOf(usage['completion_tokens_details'])?.['reasoning_tokens']),
  };
}
