import type { IncomingMessage } from 'node:http';
import {
  classifyInboundRequest,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type PerRequestHTTPServerTransportOptions,
  type Server,
} from '@modelcontextprotocol/server';
import { isPlainObject } from '../../common/index.js';
import { failureAnswer } from './error-answers.js';
import { LoneResultTransport } from './lone-result-transport.js';

/** Handled by every server of ours, and asked for all the time. */
const METHODS: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list']);
// A header can carry such a name only as it is.
const PLAIN_NAME = /^[\w.-]+$/;

interface PlainRequest {
  readonly message: JSONRPCRequest;
  readonly classification: PerRequestHTTPServerTransportOptions['classification'];
  readonly revision: string;
}

interface PlainWay {
  /** Whoever opens it writes down what it failed with. */
  readonly open: (revision: string) => Promise<Server>;
  readonly onHangUp: (callback: () => void) => void;
}

/**
 * Serves what is plainly in order: a call or a list of a client since 2026-07-28 whose headers say what its message says. It
 * needs no detour over a web request. Whatever else comes is left to the protocol's own entry, which knows every exception.
 * Undefined where the request is not plainly in order; nothing has been done then.
 *
 * @param way to the server of this one request, for clients of that revision, and to whether its client is still there
 */
export async function plainAnswer(
  raw: IncomingMessage,
  body: unknown,
  way: PlainWay,
): Promise<JSONRPCResultResponse | Response | undefined> {
  const request = plainRequest(raw, body);
  if (request === undefined) return undefined;
  const { message, classification, revision } = request;
  const server = await way.open(revision).catch(() => undefined);
  if (server === undefined) return failureAnswer(message.id);
  const transport = new LoneResultTransport({ classification });
  await server.connect(transport);
  // Only revisions that the installed release of the SDK serves are bound.
  if (server.getNegotiatedProtocolVersion() !== revision) return undefined;
  way.onHangUp(() => void transport.close());
  try {
    return await transport.answer(message);
  } catch {
    // Closed before there was an answer: the client is gone. The status is the one that the protocol's own entry gives.
    return new Response(null, { status: 499 });
  }
}

function plainRequest({ headers }: IncomingMessage, body: unknown): PlainRequest | undefined {
  if (!isPlainObject(body) || !METHODS.has(body['method']) || headers['mcp-method'] !== body['method'])
    return undefined;
  const params = isPlainObject(body['params']) ? body['params'] : {};
  const { name } = params;
  const isNamed = typeof name === 'string' && PLAIN_NAME.test(name) && headers['mcp-name'] === name;
  if (body['method'] === 'tools/call' && !isNamed) return undefined;
  const route = classifyInboundRequest({ httpMethod: 'POST', body });
  if (route.kind !== 'modern' || route.messageKind !== 'request') return undefined;
  const { message, classification } = route;
  const { revision } = classification;
  if (revision === undefined || headers['mcp-protocol-version'] !== revision) return undefined;
  return { message, classification, revision };
}
