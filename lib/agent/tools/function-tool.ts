import { HttpException } from '@nestjs/common';
import { canonicalDigest, isPlainObject, type CallerContext, type JsonSchema } from '../../common/index.js';
import { MAX_ARGUMENT_BYTES, parseArguments, refusal, statusCode } from '../../dispatch/index.js';
import { validateInput, type EgressShape, type ShapeOutput } from '../../egress/index.js';
import { inputDocument, type OperationAnnotations } from '../../operations/index.js';
import type { ToolCall, ToolDefinition, ToolResult } from '../../palette/index.js';
import { AgentError } from '../agent-error.js';
import type { AgentTool, ExaminedToolCall, ToolRunContext } from './agent-tool.js';

/** What a function is given besides its input. */
export type FunctionToolContext = Pick<ToolRunContext, 'caller' | 'principal' | 'agent' | 'conversationId'>;

export interface FunctionToolOptions<Shape extends EgressShape> {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string;
  /** What it does, in words for the model. */
  readonly description: string;
  /** A DTO class or a Standard Schema; arguments that do not fit are refused before anything runs. */
  readonly input: Shape;
  /**
   * What it does. The model is told what it yields, as JSON. An `HttpException` of a 4xx status is told to the model as a
   * refusal; everything else that it throws ends the run.
   */
  readonly execute: (input: ShapeOutput<Shape>, context: FunctionToolContext) => unknown;
  /** JSON Schema for the model, where the shape cannot tell it. Default: read from `input`. */
  readonly inputSchema?: JsonSchema;
  /** Default: it may change something, may not be repeated, destroys nothing. */
  readonly annotations?: OperationAnnotations;
  /** Why a person must approve each call, or a function that says so of one. Default: nobody has to. */
  readonly approval?: string | ((input: ShapeOutput<Shape>, caller: CallerContext) => MaybePromise<string | false>);
  /** How long a call may take, in milliseconds. Default: as long as the run says. */
  readonly timeoutMs?: number;
}

type MaybePromise<T> = T | Promise<T>;

/** A tool that is a function of the application. */
export type FunctionTool = AgentTool;

/**
 * Makes a function a tool: for what is no operation, and for tests. It is gated, timed and traced like an operation, and no
 * guard of the application stands before it.
 *
 * @example functionTool({ name: 'now', description: 'The time.', input: z.object({}), execute: () => new Date().toISOString() })
 */
export function functionTool<const Shape extends EgressShape>(options: FunctionToolOptions<Shape>): FunctionTool {
  return new FunctionAgentTool(options);
}

class FunctionAgentTool<Shape extends EgressShape> implements AgentTool {
  readonly definition: ToolDefinition;
  readonly operation: string;
  readonly isGated: boolean;
  readonly isRepeatable: boolean;
  readonly isTransactional = false;
  readonly timeoutMs: number | undefined;

  constructor(private readonly options: FunctionToolOptions<Shape>) {
    const { name, description, input, annotations = {} } = options;
    const { readOnly = false, destructive = false, idempotent = false } = annotations;
    this.definition = Object.freeze({
      name,
      description,
      inputSchema: options.inputSchema ?? inputDocument(input, name),
      annotations: { readOnly, destructive, idempotent },
    });
    this.operation = name;
    this.isGated = options.approval !== undefined;
    this.isRepeatable = readOnly || idempotent;
    this.timeoutMs = options.timeoutMs;
  }

  async examine(call: ToolCall, caller: CallerContext): Promise<ExaminedToolCall> {
    const checked = await this.#check(call);
    if ('refused' in checked) return checked;
    const reason = await this.#reason(checked.input, caller);
    return { argumentsHash: canonicalDigest(checked.given), reasons: reason === false ? [] : [reason] };
  }

  async run(call: ToolCall, context: ToolRunContext): Promise<ToolResult> {
    const checked = await this.#check(call);
    if ('refused' in checked) return checked.refused;
    const { caller, principal, agent, conversationId } = context;
    try {
      const content = await this.options.execute(checked.input, { caller, principal, agent, conversationId });
      return { toolCallId: call.id, isError: false, content: asJson(content) };
    } catch (error) {
      if (error instanceof HttpException && error.getStatus() >= 400 && error.getStatus() < 500) {
        return refusedByTool(call.id, error);
      }
      throw new AgentError('tool_failed', { parameters: { tool: call.name }, cause: error });
    }
  }

  /** @throws AgentError `approval_gate_failed` where the rule threw: what cannot be judged is not run */
  async #reason(input: ShapeOutput<Shape>, caller: CallerContext): Promise<string | false> {
    const { name, approval = false } = this.options;
    if (typeof approval !== 'function') return approval;
    try {
      return await approval(input, caller);
    } catch (cause) {
      throw new AgentError('approval_gate_failed', { parameters: { operation: name }, cause });
    }
  }

  async #check(
    call: ToolCall,
  ): Promise<{ readonly refused: ToolResult } | { readonly input: ShapeOutput<Shape>; readonly given: unknown }> {
    const read = parseArguments(call.arguments, MAX_ARGUMENT_BYTES);
    if ('code' in read) {
      const details = 'faults' in read ? { details: read.faults } : {};
      return { refused: refusal(call.id, read.code, { parameters: { maxBytes: MAX_ARGUMENT_BYTES }, ...details }) };
    }
    const given = read.args;
    const checked = await validateInput(this.options.input, given);
    if (!('faults' in checked)) return { input: checked.value as ShapeOutput<Shape>, given };
    const faults = checked.faults.map(({ property, constraints }) => ({
      pointer: property === '' ? '' : `/${property.replaceAll('.', '/')}`,
      problem: `breaks ${constraints.join(', ')}`,
    }));
    return { refused: refusal(call.id, 'tool_arguments_invalid', { details: faults }) };
  }
}

function refusedByTool(toolCallId: string, error: HttpException): ToolResult {
  const response = error.getResponse();
  const told = isPlainObject(response) ? response['message'] : response;
  const message = typeof told === 'string' ? told : error.message;
  return { toolCallId, isError: true, content: { code: statusCode(error.getStatus()), message } };
}

/** Nothing is `{}`, as it is for an operation that answers with nothing. */
function asJson(content: unknown): unknown {
  const text = JSON.stringify(content) as string | undefined;
  return text === undefined ? {} : (JSON.parse(text) as unknown);
}
