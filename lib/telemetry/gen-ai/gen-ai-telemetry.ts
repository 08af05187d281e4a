import { errorTypeOf } from '../error-type.js';
import { tracingApi } from '../opentelemetry-api.js';
import type { SpanAttributes, SpanLink, SpanOptions, TelemetrySpan } from '../span.js';
import type { TelemetrySettings } from '../telemetry.options.js';
import { telemetry } from '../telemetry.js';
import * as attributes from './attributes.js';
import { measureAgent, measureChat, measureTool } from './gen-ai-metrics.js';
import { isMeasured } from './metrics.js';
import { GEN_AI } from './names.js';
import type {
  AgentSpanInput,
  AgentSpanResult,
  ApprovalSpanInput,
  ChatSpanInput,
  ChatSpanResult,
  ToolSpanInput,
  ToolSpanResult,
} from './span-inputs.js';

/** One run of an agent, one call of a model, one call of a tool: ended once, by `end` or by `fail`; the first one counts. */
export interface GenAiSpan<Result> {
  /** What a later span can link to: what a waiting call or a suspended run stores. */
  readonly link: SpanLink | undefined;
  /** Runs with this span as the active one. In an async generator, run each step: a `yield` does not keep what is active. */
  run<T>(work: () => T): T;
  end(result: Result): void;
  /** A run may tell what it used until then. */
  fail(error: unknown, result?: Result): void;
}

export interface AgentSpan extends GenAiSpan<AgentSpanResult> {
  /** A call began to wait for a person; an event on the run. */
  approvalRequested(approval: ApprovalSpanInput): void;
}

export interface ChatSpan extends GenAiSpan<ChatSpanResult> {
  /** The first part of a streamed reply came; later ones do not count. */
  firstChunk(): void;
}

export type ToolSpan = GenAiSpan<ToolSpanResult>;

/** Spans and metrics of agents. Each `start...` begins under the active span and costs nothing where nobody listens. */
export class GenAiTelemetry {
  constructor(private readonly settings: TelemetrySettings) {}

  /** Whether anybody listens: what is expensive to find out for a span can be left out otherwise. */
  get isHeard(): boolean {
    return !isSilent();
  }

  /** `invoke_agent {agent}` */
  startAgent(input: AgentSpanInput): AgentSpan {
    if (isSilent()) return SILENT;
    return new RecordedAgent(this.settings, input);
  }

  /** `chat {model}` */
  startChat(input: ChatSpanInput): ChatSpan {
    if (isSilent()) return SILENT;
    return new RecordedChat(this.settings, input);
  }

  /** `execute_tool {tool}`. `end({ errorCode })` where the tool answered with an error, `fail` where it threw to the host. */
  startTool(input: ToolSpanInput): ToolSpan {
    if (isSilent()) return SILENT;
    return new RecordedTool(this.settings, input);
  }
}

function isSilent(): boolean {
  return tracingApi() === undefined && !isMeasured();
}

const nothing = (): void => undefined;
const SILENT: AgentSpan & ChatSpan & ToolSpan = Object.freeze({
  link: undefined,
  run: <T>(work: () => T): T => work(),
  end: nothing,
  fail: nothing,
  firstChunk: nothing,
  approvalRequested: nothing,
});

abstract class Recorded<Result> implements GenAiSpan<Result> {
  readonly #startedAt = performance.now();
  #hasEnded = false;

  constructor(
    protected readonly settings: TelemetrySettings,
    protected readonly span: TelemetrySpan,
  ) {}

  get link(): SpanLink | undefined {
    return this.span.link;
  }

  run<T>(work: () => T): T {
    return this.span.run(work);
  }

  end(result: Result): void {
    this.#end(this.errorTypeIn(result), result);
  }

  fail(error: unknown, result?: Result): void {
    this.#end(errorTypeOf(error), result);
  }

  /** Seconds since it began. */
  protected get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  protected errorTypeIn(_result: Result): string | undefined {
    return undefined;
  }

  protected abstract attributesOf(result: Result): SpanAttributes;
  protected abstract measure(errorType: string | undefined, result: Result | undefined): void;

  #end(errorType: string | undefined, result: Result | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (result !== undefined && this.span.isRecording) this.span.set(this.attributesOf(result));
    this.measure(errorType, result);
    this.span.end(errorType);
  }
}

class RecordedAgent extends Recorded<AgentSpanResult> implements AgentSpan {
  constructor(
    settings: TelemetrySettings,
    private readonly input: AgentSpanInput,
  ) {
    const told = () => attributes.agentAttributes(input, settings);
    super(settings, telemetry.startSpan(`invoke_agent ${input.agent}`, linked({ attributes: told }, input.links)));
  }

  approvalRequested(approval: ApprovalSpanInput): void {
    if (this.span.isRecording) this.span.event('palette.approval.requested', attributes.approvalAttributes(approval));
  }

  protected attributesOf(result: AgentSpanResult): SpanAttributes {
    return attributes.agentResultAttributes(result, this.settings);
  }

  protected measure(errorType: string | undefined, result: AgentSpanResult = {}): void {
    measureAgent(this.input, result, { seconds: this.seconds, errorType }, this.settings);
  }
}

class RecordedChat extends Recorded<ChatSpanResult> implements ChatSpan {
  #firstChunkSeconds: number | undefined;

  constructor(
    settings: TelemetrySettings,
    private readonly input: ChatSpanInput,
  ) {
    const told = () => attributes.chatAttributes(input, settings);
    super(settings, telemetry.startSpan(`chat ${input.model}`, { kind: 'client', attributes: told }));
  }

  firstChunk(): void {
    if (this.#firstChunkSeconds !== undefined) return;
    this.#firstChunkSeconds = this.seconds;
    this.span.set({ [GEN_AI.responseTimeToFirstChunk]: this.#firstChunkSeconds });
  }

  protected attributesOf(result: ChatSpanResult): SpanAttributes {
    return attributes.chatResultAttributes(result, this.settings);
  }

  protected measure(errorType: string | undefined, result: ChatSpanResult = {}): void {
    const took = { seconds: this.seconds, errorType, firstChunkSeconds: this.#firstChunkSeconds };
    measureChat(this.input, result, took, this.settings);
  }
}

class RecordedTool extends Recorded<ToolSpanResult> implements ToolSpan {
  constructor(
    settings: TelemetrySettings,
    private readonly input: ToolSpanInput,
  ) {
    const told = () => attributes.toolAttributes(input, settings);
    super(settings, telemetry.startSpan(`execute_tool ${input.tool}`, linked({ attributes: told }, input.links)));
  }

  protected override errorTypeIn({ errorCode }: ToolSpanResult): string | undefined {
    return errorCode;
  }

  protected attributesOf(result: ToolSpanResult): SpanAttributes {
    return attributes.toolResultAttributes(result, this.settings);
  }

  protected measure(errorType: string | undefined): void {
    measureTool(this.input, { seconds: this.seconds, errorType }, this.settings);
  }
}

function linked(options: SpanOptions, links: readonly SpanLink[] | undefined): SpanOptions {
  return links === undefined ? options : { ...options, links };
}
