import { randomUUID } from 'node:crypto';
import {
  AgentRunner,
  ApprovalsService,
  defineAgent,
  DispatchError,
  getPaletteToken,
  OperationDispatcher,
  runAgent,
  type AgentEvent,
  type Palette,
  type Principal,
  type ToolResult,
} from 'nestjs-palette';
import { CLIENTS, connect, type ClientKind, type TestClient } from '../../mcp/support/clients.js';
import { connectOverPipes, openPipes } from '../../mcp/support/stdio.js';
import { obedientModel, PALETTE, written, type ServedApplication } from './application.js';

/** How one call ends, whichever way it came in. */
export interface Ending {
  /** Undefined where the call succeeded. */
  readonly refusal: Refusal | undefined;
  readonly answer: unknown;
}

/** What is told of a refusal, all of it; of a fault its code, for each way in has words of its own for those. */
export interface Refusal {
  readonly code: string;
  readonly message?: string;
  readonly details?: unknown;
}

/** A way in for one person: calls a tool. The same call again goes on with one that waits for its approval. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<Ending>;

/** What a way in remembers between calls: a client that comes back, at whatever replica, brings it along. */
export interface Session {
  readonly id: string;
  approvalId?: string | undefined;
}

export interface Surface {
  readonly name: string;
  open(served: ServedApplication, who: Who, session: Session): Promise<CallTool>;
}

export interface Who {
  readonly headers: Record<string, string>;
  readonly principal: Principal;
}

export const newSession = (): Session => ({ id: randomUUID() });

/** The dispatcher under a loop that proposes calls by itself, and that keeps the ids of their approvals. */
const ownLoop: Surface = {
  name: 'a loop of the application’s own',
  open: async ({ app }, { headers, principal }, session) => {
    const [palette, dispatcher] = [paletteOf(app), app.get(OperationDispatcher)];
    const approvals = app.get(ApprovalsService, { strict: false });
    const caller = { headers };
    return ended(async (call) => {
      if (session.approvalId === undefined) {
        const proposed = await approvals.propose(call, { palette, caller, principal });
        if (proposed.kind === 'refused') return endingOf(proposed.result);
        session.approvalId = proposed.kind === 'waiting' ? proposed.approval.approvalId : undefined;
      }
      const { approvalId } = session;
      const context = { palette, caller, ...(approvalId !== undefined && { approvalId }) };
      return endingOf(await dispatcher.dispatch(call, context));
    });
  },
};

const dispatcher: Surface = {
  name: 'the dispatcher',
  open: async ({ app }, { headers }) => {
    const palette = paletteOf(app);
    return ended(async (call) =>
      endingOf(await app.get(OperationDispatcher).dispatch(call, { palette, caller: { headers } })),
    );
  },
};

const agentRunner: Surface = {
  name: 'the agent loop',
  open: async ({ app, store }, { headers, principal }, { id: conversation }) => {
    const runner = app.get(AgentRunner);
    const caller = { headers };
    return ended(async ({ name, arguments: args }) => {
      const { openRunId } = (await store.find(conversation, principal)) ?? {};
      const asked = openRunId === undefined ? { message: written(name, args) } : {};
      return endingOfRun(runner.run({ conversation, principal, caller, ...asked }));
    });
  },
};

/** The loop without a module, over messages that the application keeps: nothing can wait here. */
const runAgentFunction: Surface = {
  name: '`runAgent` over messages',
  open: async ({ app }, { headers }) => {
    const agent = defineAgent({ name: 'agent', model: obedientModel(), palette: paletteOf(app) });
    const common = { agent, dispatcher: app.get(OperationDispatcher), caller: { headers } };
    return ended(({ name, arguments: args }) =>
      endingOfRun(runAgent({ ...common, messages: [{ role: 'user', text: written(name, args) }] })),
    );
  },
};

const mcpOverHttp = (kind: ClientKind): Surface => ({
  name: `MCP, ${kind}`,
  open: async ({ base }, { headers }) => called(await connect(kind, `${base}/mcp`, headers)),
});

const mcpOverStdio = (kind: ClientKind): Surface => ({
  name: `MCP over stdio, ${kind}`,
  open: async ({ app }, { headers }) =>
    called(await connectOverPipes(kind, openPipes(app, { palette: PALETTE, caller: { headers } }))),
});

function called(client: TestClient): CallTool {
  return async (name, args) => {
    try {
      const { refusal, text, structured } = await client.call(name, args);
      if (refusal !== undefined) return refused(refusal);
      return { refusal: undefined, answer: structured === undefined ? text : (JSON.parse(text) as unknown) };
    } catch (error) {
      return refused(protocolError(error));
    }
  };
}

const MCP: readonly Surface[] = [...CLIENTS.map(mcpOverHttp), ...CLIENTS.map(mcpOverStdio)];

/** Every way in for calls that need nobody's approval. */
export const SURFACES: readonly Surface[] = [dispatcher, agentRunner, runAgentFunction, ...MCP];

/** Every way in for calls that can wait. */
export const GATED_SURFACES: readonly Surface[] = [ownLoop, dispatcher, agentRunner, ...MCP];

function paletteOf(app: ServedApplication['app']): Palette {
  return app.get<Palette>(getPaletteToken(PALETTE), { strict: false });
}

interface NamedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** What the host is told by an error counts as the call's ending as well. */
function ended(run: (call: NamedCall) => Promise<Ending>): CallTool {
  return async (name, args) => {
    try {
      return await run({ id: randomUUID(), name, arguments: args });
    } catch (error) {
      if (DispatchError.isInstance(error)) return refused(error);
      throw error;
    }
  };
}

function endingOf({ isError, content }: Pick<ToolResult, 'isError' | 'content'>): Ending {
  return isError ? refused(content as Refusal) : { refusal: undefined, answer: content };
}

async function endingOfRun(events: AsyncIterable<AgentEvent>): Promise<Ending> {
  let ending: Ending = { refusal: { code: 'nothing was called' }, answer: undefined };
  for await (const event of events) {
    if (event.type === 'tool_result') ending = endingOf(event);
    if (event.type === 'error') ending = refused(event);
    if (event.type === 'done' && event.outcome === 'waiting') ending = refused({ code: 'approval_required' });
  }
  return ending;
}

const FAULTS: ReadonlySet<string> = new Set(['operation_unauthenticated', 'operation_failed']);

/** An ending in a refusal. What is told beside code, message and details would show. */
export function refused({ code, message, ...more }: Refusal): Ending {
  return {
    refusal: FAULTS.has(code) ? { code } : { code, ...(message !== undefined && { message }), ...more },
    answer: undefined,
  };
}

/** A client throws where it has to find a token, and where there is no such tool. */
function protocolError(error: unknown): Refusal {
  const { message = String(error), data } = error as { message?: string; data?: { code?: string } };
  const isTurnedAway = /operation_unauthenticated|401|[Uu]nauthorized/.test(`${message} ${JSON.stringify(error)}`);
  if (isTurnedAway) return { code: 'operation_unauthenticated' };
  return { code: data?.code ?? 'an error without a code', message: message.replace(/^MCP error -?\d+: /, '') };
}
