import type { IncomingMessage } from 'node:http';
import {
  createMcpHandler,
  isInitializeRequest,
  type JSONRPCResultResponse,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Logger } from '@nestjs/common';
import type { CallerContext } from '../../common/index.js';
import type { McpExchange } from '../server/exchange.js';
import type { McpServing } from '../server/mcp-serving.js';
import { methodAnswer } from './error-answers.js';
import { plainAnswer } from './plain-requests.js';
import { newSessionId, SESSION } from './session-id.js';
import { webRequest } from './web-request.js';

/** What is known of a request's sender, and a way to learn that they went away. */
export interface HttpExchange extends McpExchange {
  readonly sender: CallerContext;
  readonly onHangUp: (callback: () => void) => void;
}

/** The protocol of both eras, as HTTP carries it: each request is answered by a server of its own. */
export class McpOverHttp {
  readonly #exchanges = new WeakMap<Request, McpExchange>();
  readonly #handler: McpHttpHandler;

  constructor(
    private readonly serving: McpServing,
    logger: Logger,
  ) {
    this.#handler = createMcpHandler(({ requestInfo }) => serving.open(this.#exchangeOf(requestInfo)), {
      onerror: (error) => logger.debug(error.message),
    });
  }

  /** The answer to a request that is plainly in order; undefined for every other. @param message the parsed body */
  plainAnswer(
    raw: IncomingMessage,
    message: unknown,
    exchange: HttpExchange,
  ): Promise<Response | JSONRPCResultResponse | undefined> {
    const open = (revision: string) => this.serving.openForTools(exchange, revision);
    return plainAnswer(raw, message, { open, onHangUp: exchange.onHangUp });
  }

  /** @param message the parsed body; undefined where there is none */
  async answer(raw: IncomingMessage, message: unknown, exchange: McpExchange): Promise<Response> {
    const web = webRequest(raw);
    if (web === undefined) return methodAnswer();
    this.#exchanges.set(web, exchange);
    const answer = await this.#handler.fetch(web, message === undefined ? {} : { parsedBody: message });
    if (answer.ok && isInitializeRequest(message)) answer.headers.set(SESSION, newSessionId(message));
    return answer;
  }

  #exchangeOf(request: Request | undefined): McpExchange {
    const exchange = request && this.#exchanges.get(request);
    if (exchange === undefined) throw new TypeError('A message without a request cannot be answered here.');
    return exchange;
  }
}
