import { ModelError, type ModelName } from '../model-error.js';
import type { FinishReason, ModelMessage, ModelReply, ModelUsage } from '../model.js';
import { finishReasonOf } from '../reply/finish-reason.js';
import { providerFailure } from '../reply/provider-failure.js';
import { recordOf, recordsOf, saidText, textOr, type JsonRecord } from '../reply/read-json.js';
import type { ModelDelta, ReplyAssembly } from '../reply/reply-assembly.js';
import { ToolCallIds } from '../reply/tool-call-ids.js';
import type { ResolvedQuirks } from './chat-completions-quirks.js';
import { chatState } from './chat-state.js';
import { ChatToolCalls } from './chat-tool-calls.js';
import { chatUsage } from './chat-usage.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
  ['safety', 'content_filter'],
]);

/** Puts a reply together from the chunks of a chat completion, or from a whole one. */
export class ChatReplyAssembly implements ReplyAssembly {
  readonly #calls = new ChatToolCalls();
  #hasDeltas = false;
  #text = '';
  #refusal = '';
  #reasoning = '';
  #reasoningField: string | undefined;
  #finishReason: string | undefined;
  #usage: ModelUsage = {};
  #model: string | undefined;

  /** @param messages of the request: what ids are taken */
  constructor(
    private readonly model: ModelName,
    private readonly quirks: ResolvedQuirks,
    private readonly messages: readonly ModelMessage[],
  ) {}

  push(chunk: JsonRecord): readonly ModelDelta[] {
    const choice = this.#takeHead(chunk);
    const delta = recordOf(choice?.['delta']);
    if (delta === undefined) return this.#hasDeltas ? [] : this.#takeMessage(recordOf(choice?.['message']) ?? {});
    this.#hasDeltas = true;
    this.#calls.add(delta['tool_calls']);
    return this.#takeWords(delta);
  }

  pushWhole(body: JsonRecord): void {
    const message = recordOf(this.#takeHead(body)?.['message']);
    if (message === undefined) throw this.#invalid('it has no message');
    this.#takeMessage(message);
  }

  finish(): ModelReply {
    const told = finishReasonOf(this.model, this.#finishReason, FINISH_REASONS);
    const { toolCalls, extras } = this.#calls.read(new ToolCallIds(this.messages));
    const isPromise = told === 'tool_calls' && toolCalls.length === 0;
    if (isPromise && this.#text === '' && this.#refusal === '') {
      throw this.#invalid('it calls tools and names none');
    }
    const providerState = chatState({ extras, reasoning: this.#keptReasoning() });
    return {
      text: this.#text,
      toolCalls,
      finishReason: isPromise ? 'stop' : told,
      usage: this.#usage,
      model: this.#model ?? this.model.name,
      ...(this.#refusal !== '' && { refusal: this.#refusal }),
      ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
      ...(providerState !== undefined && { providerState }),
    };
  }

  /** What stands around the words. Usage comes with the last chunk, or with each and counts up. */
  #takeHead(chunk: JsonRecord): JsonRecord | undefined {
    const usage = recordOf(chunk['usage']);
    if (usage !== undefined) this.#usage = chatUsage(usage);
    this.#model = saidText(chunk['model']) ?? this.#model;
    const choice = recordsOf(chunk['choices']).find(({ index }) => (index ?? 0) === 0);
    if (recordOf(choice?.['error']) !== undefined) throw providerFailure(this.model, choice?.['error']);
    this.#finishReason = saidText(choice?.['finish_reason']) ?? this.#finishReason;
    return choice;
  }

  /** The message of a reply that came whole; some answer a stream with one event that holds it. */
  #takeMessage(message: JsonRecord): ModelDelta[] {
    this.#calls.addWhole(message['tool_calls']);
    return this.#takeWords(message);
  }

  #takeWords(words: JsonRecord): ModelDelta[] {
    const { text, thought } = readContent(words['content']);
    const field = this.quirks.reasoningFields.find((name) => textOr(words[name], '') !== '');
    const reasoning = field === undefined ? thought : textOr(words[field], '');
    this.#reasoningField ??= field;
    this.#text += text;
    this.#reasoning += reasoning;
    this.#refusal += textOr(words['refusal'], '');
    return [
      ...(reasoning === '' ? [] : [{ type: 'reasoning_delta' as const, text: reasoning }]),
      ...(text === '' ? [] : [{ type: 'text_delta' as const, text }]),
    ];
  }

  #keptReasoning(): { field: string; text: string } | undefined {
    if (!this.quirks.resendReasoning || this.#reasoningField === undefined) return undefined;
    return { field: this.#reasoningField, text: this.#reasoning };
  }

  #invalid(what: string): ModelError {
    return new ModelError('model_reply_invalid', this.model, { parameters: { what } });
  }
}

/** `content` is a text, or a list of parts of which some are text and some are thoughts. */
function readContent(content: unknown): { readonly text: string; readonly thought: string } {
  if (typeof content === 'string') return { text: content, thought: '' };
  const parts = recordsOf(content);
  const thoughts = parts.flatMap(({ type, thinking }) => (type === 'thinking' ? recordsOf(thinking) : []));
  return { text: joined(parts), thought: joined(thoughts) };
}

function joined(parts: readonly JsonRecord[]): string {
  return parts.map(({ type, text }) => (type === 'text' ? textOr(text, '') : '')).join('');
}
