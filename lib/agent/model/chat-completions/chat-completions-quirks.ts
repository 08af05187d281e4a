/** How an endpoint differs from OpenAI's own. Everything has a default; a page of the documentation lists providers. */
export interface ChatCompletionsQuirks {
  /** `content` of an assistant message that only called tools: null, an empty text, or left out. Default `null`. */
  readonly emptyContent?: 'null' | 'empty' | 'omit';
  /** Holds the model to the schemas of tools and output while it writes, where strict mode can carry them. Default false. */
  readonly strictTools?: boolean;
  /** Sent as `parallel_tool_calls` where there are tools. Default: not sent. */
  readonly parallelToolCalls?: boolean;
  /** Asks for the usage of a stream; a few endpoints refuse a request that does. Default true. */
  readonly usageInStream?: boolean;
  /** The field that reasoning comes in; false drops it. Default: `reasoning`, else `reasoning_content`. */
  readonly reasoningField?: string | false;
  /** Sends the reasoning of assistant messages back in the field it came in; some refuse it, some demand it. Default false. */
  readonly resendReasoning?: boolean;
  /** The field that limits the output. Default `max_completion_tokens`; many compatible endpoints know `max_tokens` only. */
  readonly maxTokensField?: 'max_completion_tokens' | 'max_tokens';
}

export type ResolvedQuirks = Readonly<Required<Omit<ChatCompletionsQuirks, 'parallelToolCalls' | 'reasoningField'>>> &
  Pick<ChatCompletionsQuirks, 'parallelToolCalls'> & {
    /** The first of them that says something in a chunk is its reasoning. */
    readonly reasoningFields: readonly string[];
  };

export function resolvedQuirks(quirks: ChatCompletionsQuirks): ResolvedQuirks {
  const { reasoningField, ...rest } = quirks;
  const either = reasoningField === undefined ? ['reasoning', 'reasoning_content'] : [reasoningField];
  return Object.freeze({
    emptyContent: 'null',
    strictTools: false,
    usageInStream: true,
    resendReasoning: false,
    maxTokensField: 'max_completion_tokens',
    ...rest,
    reasoningFields: either.filter((field) => field !== false),
  });
}
