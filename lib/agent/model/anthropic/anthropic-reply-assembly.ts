import { ModelError, type ModelName } from '../model-error.js';
import type { FinishReason, ModelMessage, ModelReply, ModelToolCall, ModelUsage } from '../model.js';
import { finishReasonOf } from '../reply/finish-reason.js';
import { countOf, recordOf, recordsOf, saidText, textOr, type JsonRecord } from '../reply/read-json.js';
import type { ModelDelta, ReplyAssembly } from '../reply/reply-assembly.js';
import { ToolArguments } from '../reply/tool-arguments.js';
import { ToolCallIds } from '../reply/tool-call-ids.js';
import type { ArgumentNames } from './anthropic-names.js';
import { anthropicState } from './anthropic-state.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);
const DECLINED = 'The provider declined to go on.';

interface OpenBlock {
  readonly index: unknown;
  readonly start: JsonRecord;
  text: string;
  signature: string;
  readonly arguments: ToolArguments;
}

/** Puts a reply together from the events of a message, or from a whole one. */
export class AnthropicReplyAssembly implements ReplyAssembly {
  readonly #blocks: OpenBlock[] = [];
  #stopReason: string | undefined;
  #declined: string | undefined;
  #usage: ModelUsage = {};
  #model: string | undefined;

  /** @param messages of the request: what ids are taken */
  constructor(
    private readonly model: ModelName,
    private readonly names: ArgumentNames,
    private readonly messages: readonly ModelMessage[],
  ) {}

  push(event: JsonRecord): readonly ModelDelta[] {
    const { type, index } = event;
    if (type === 'message_start') this.#takeHead(recordOf(event['message']) ?? {});
    if (type === 'message_delta') this.#takeHead({ ...recordOf(event['delta']), usage: event['usage'] });
    if (type === 'content_block_start') return this.#begin(index, recordOf(event['content_block']) ?? {});
    return type === 'content_block_delta' ? this.#goOn(index, recordOf(event['delta']) ?? {}) : [];
  }

  pushWhole(body: JsonRecord): void {
    if (!Array.isArray(body['content'])) throw this.#invalid('it has no content');
    this.#takeHead(body);
    recordsOf(body['content']).forEach((block, index) => this.#begin(index, block));
  }

  finish(): ModelReply {
    const told = finishReasonOf(this.model, this.#stopReason, FINISH_REASONS);
    const text = this.#joined('text');
    const { toolCalls, kept } = this.#read();
    if (told === 'tool_calls' && toolCalls.length === 0 && text === '') {
      throw this.#invalid('it calls tools and names none');
    }
    const reasoning = this.#joined('thinking');
    const providerState = anthropicState(kept);
    return {
      text,
      toolCalls,
      finishReason: told === 'tool_calls' && toolCalls.length === 0 ? 'stop' : told,
      usage: this.#usage,
      model: this.#model ?? this.model.name,
      ...(told === 'content_filter' && { refusal: this.#declined ?? DECLINED }),
      ...(reasoning !== '' && { reasoning }),
      ...(providerState !== undefined && { providerState }),
    };
  }

  /** What stands around the blocks. Usage comes in two parts, and the later counts hold. */
  #takeHead(head: JsonRecord): void {
    const usage = recordOf(head['usage']);
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usageOf(usage) };
    this.#model = saidText(head['model']) ?? this.#model;
    this.#stopReason = saidText(head['stop_reason']) ?? this.#stopReason;
    this.#declined = saidText(recordOf(head['stop_details'])?.['explanation']) ?? this.#declined;
  }

  #begin(index: unknown, start: JsonRecord): ModelDelta[] {
    const block = { index, start, text: '', signature: '', arguments: new ToolArguments() };
    this.#blocks.push(block);
    block.arguments.add(start['input']);
    return this.#add(block, start['text'] ?? start['thinking'], start['signature']);
  }

  #goOn(index: unknown, delta: JsonRecord): ModelDelta[] {
    const block = this.#blocks.findLast((each) => each.index === index);
    if (block === undefined) throw this.#invalid('it goes on with a block that did not begin');
    block.arguments.add(delta['partial_json']);
    return this.#add(block, delta['text'] ?? delta['thinking'], delta['signature']);
  }

  #add(block: OpenBlock, said: unknown, signature: unknown): ModelDelta[] {
    const text = textOr(said, '');
    block.text += text;
    block.signature += textOr(signature, '');
    const { type } = block.start;
    if (text === '' || (type !== 'text' && type !== 'thinking')) return [];
    return [{ type: type === 'text' ? 'text_delta' : 'reasoning_delta', text }];
  }

  #joined(type: string): string {
    return this.#blocks.map(({ start, text }) => (start['type'] === type ? text : '')).join('');
  }

  /** The calls, and the blocks as they are to be sent back. */
  #read(): { readonly toolCalls: ModelToolCall[]; readonly kept: JsonRecord[] } {
    const ids = new ToolCallIds(this.messages);
    const toolCalls: ModelToolCall[] = [];
    const kept = this.#blocks.flatMap((block): JsonRecord[] => {
      const { start, text, signature } = block;
      if (start['type'] === 'text') return [{ type: 'text', text }];
      if (start['type'] === 'thinking') return [{ type: 'thinking', thinking: text, signature }];
      if (start['type'] === 'redacted_thinking') return [start];
      const name = saidText(start['name']);
      if (start['type'] !== 'tool_use' || name === undefined) return [];
      const id = ids.take(saidText(start['id']));
      const read = block.arguments.read();
      toolCalls.push({ id, name, ...read, arguments: this.names.fromWire(name, read.arguments) });
      return [{ type: 'tool_use', id }];
    });
    return { toolCalls, kept };
  }

  #invalid(what: string): ModelError {
    return new ModelError('model_reply_invalid', this.model, { parameters: { what } });
  }
}

/** Tokens read from a cache and written to one are not in `input_tokens`: here all of them are input. */
function usageOf(usage: JsonRecord): ModelUsage {
  const cached = countOf(usage['cache_read_input_tokens']);
  const written = countOf(usage['cache_creation_input_tokens']);
  const plain = countOf(usage['input_tokens']);
  const output = countOf(usage['output_tokens']);
  const thought = countOf(recordOf(usage['output_tokens_details'])?.['thinking_tokens']);
  return {
    ...(plain !== undefined && { inputTokens: plain + (cached ?? 0) + (written ?? 0) }),
    ...(output !== undefined && { outputTokens: output }),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thought !== undefined && { reasoningTokens: thought }),
  };
}
