import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from '@nestjs/common';
import { PaletteError } from '../../common/index.js';
import type { Palette, ToolCall, ToolResult } from '../../palette/index.js';
import { lackingScopes } from '../authorization/challenge.js';
import { runAsking, type AskingServing } from './asking/run-asking.js';
import { eitherSignal } from './either-signal.js';
import type { McpExchange } from './exchange.js';
import type { OutputSchemas } from './output-schemas.js';
import { maskedFailure, protocolRefusal } from './protocol-refusal.js';
import { tellProgress } from './tell-progress.js';
import { isOmitted, refusalCode, toolAnswer, toolFailure } from './tool-answer.js';

/** What calls are run and judged with. */
export interface CallServing extends AskingServing {
  readonly outputs: OutputSchemas;
  readonly logger: Logger;
  readonly options: { readonly progressIntervalMs: number; readonly elicitationTimeoutMs: number };
}

/** One call, and on whose behalf. */
export interface ReceivedCall {
  readonly request: CallToolRequest;
  readonly context: ServerContext;
  readonly server: Server;
  readonly exchange: McpExchange;
  /** What the caller sees. */
  readonly palette: Palette;
}

/**
 * Answers `tools/call` through the application's own pipeline, on behalf of the exchange's caller.
 *
 * @throws ProtocolError -32602 `tool_unknown`; -32600 `operation_unauthenticated`, `insufficient_scope`
 */
export async function callTool(
  serving: CallServing,
  received: ReceivedCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { context, server, exchange, palette } = received;
  const { name, arguments: given = {} } = received.request.params;
  const call: ToolCall = { id: String(context.mcpReq.id), name, arguments: given };
  const caller = await exchange.caller();
  const endTurn = exchange.turn === undefined ? undefined : await exchange.turn();
  const cancelled = exchange.signalOf?.(context.mcpReq.id);
  const ends = [context.mcpReq.signal, caller.signal, cancelled].filter((signal) => signal !== undefined);
  const { signal, release } = eitherSignal(ends);
  const stopProgress = tellProgress(context, serving.options.progressIntervalMs);
  try {
    const message = { server, context, exchange, caller, signal, timeoutMs: serving.options.elicitationTimeoutMs };
    const { idempotencyKey } = exchange;
    const result = await runAsking(serving, call, { palette, caller: { ...caller, signal }, idempotencyKey }, message);
    return isInputRequiredResult(result) ? result : answer(serving, received, result);
  } catch (error) {
    return failure(serving, exchange, error);
  } finally {
    stopProgress();
    release();
    endTurn?.();
  }
}

function answer(
  serving: CallServing,
  { request, exchange, palette }: ReceivedCall,
  result: ToolResult,
): CallToolResult {
  const code = refusalCode(result);
  // The application may have a code of that name, for what it does not find.
  if (code === 'tool_unknown' && palette.entry(request.params.name) === undefined)
    throw protocolRefusal('tool_unknown');
  if (code === 'insufficient_scope') challengeForScopes(result, exchange);
  if (result.isError) return toolFailure(result.content);
  const operation = palette.entry(request.params.name)?.operation.name ?? request.params.name;
  const judgement = serving.outputs.judge(operation, result.content);
  if (judgement !== 'unfit') return toolAnswer(result.content, judgement === 'fit');
  // It ran: a failure of no known reason would be asked for again.
  if (isOmitted(result)) return toolFailure(result.content);
  serving.logger.error(`${operation} answered what its output schema does not allow.`);
  return toolFailure(maskedFailure(undefined));
}

/** An application that says which scopes a caller lacks is taken at its word, where the caller can be told by status. */
function challengeForScopes({ content }: ToolResult, { challenge }: McpExchange): void {
  if (challenge === undefined) return;
  const { message } = content as { message: string };
  challenge({ status: 403, scopes: lackingScopes(content) ?? [] });
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message, { code: 'insufficient_scope' });
}

function failure({ logger }: CallServing, { challenge }: McpExchange, error: unknown): CallToolResult {
  if (ProtocolError.isInstance(error)) throw error;
  if (PaletteError.isInstance(error) && error.code === 'operation_unauthenticated') {
    challenge?.({ status: 401 });
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'The application did not accept who is calling.', {
      code: error.code,
    });
  }
  const told = maskedFailure(error);
  if (told.code === 'operation_failed') logger.error(error instanceof Error ? error.message : String(error));
  return toolFailure(told);
}
