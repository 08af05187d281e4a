import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallerContext } from '../../../common/index.js';
import type { ClientAnswer, McpExchange } from '../exchange.js';
import { clientAction } from './client-action.js';
import { takesForms } from './takes-forms.js';

/** A message whose client may be asked something. */
export interface AskedMessage {
  readonly server: Server;
  readonly context: ServerContext;
  readonly exchange: McpExchange;
  readonly caller: CallerContext;
  /** Ends the wait for an answer. */
  readonly signal: AbortSignal;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

export type WayToAsk =
  /** The question is the call's result, and the same call comes again with the answer: clients since 2026-07-28. */
  | { readonly kind: 'by_result' }
  /** The question goes out while the call waits: clients of 2025. */
  | {
      readonly kind: 'meanwhile';
      /** @param isFor who may answer */
      ask(params: ElicitRequestFormParams, isFor: (caller: CallerContext) => Promise<boolean>): Promise<ClientAnswer>;
    };

/** Undefined where this client cannot ask its user. */
export function wayToAsk(message: AskedMessage): WayToAsk | undefined {
  const { server, context, exchange, signal } = message;
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  if (envelope !== undefined)
    return takesForms(envelope[CLIENT_CAPABILITIES_META_KEY]) ? { kind: 'by_result' } : undefined;
  const { ask } = exchange;
  if (ask !== undefined) {
    const send = async (sent: Parameters<NonNullable<Server['transport']>['send']>[0]) =>
      server.transport?.send(sent, { relatedRequestId: context.mcpReq.id });
    return { kind: 'meanwhile', ask: (params, isFor) => ask({ params, isFor, signal, send }) };
  }
  if (!takesForms(server.getClientCapabilities())) return undefined;
  return { kind: 'meanwhile', ask: (params) => askOverConnection(message, params) };
}

/** Over a connection of its own there is nobody but its one client to answer. */
async function askOverConnection(
  { context, caller, signal, timeoutMs }: AskedMessage,
  params: ElicitRequestFormParams,
): Promise<ClientAnswer> {
  try {
    return { action: clientAction(await context.mcpReq.elicitInput(params, { timeout: timeoutMs, signal })), caller };
  } catch {
    return { action: 'none', caller };
  }
}
