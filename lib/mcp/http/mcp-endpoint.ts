import type { IncomingMessage } from 'node:http';
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, Optional, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { RequesterDecisions } from '../../approvals/index.js';
import { rawRequestOf, type CallerContext } from '../../common/index.js';
import { callerOf, OperationDispatcher } from '../../dispatch/index.js';
import { PaletteRegistry } from '../../palette/index.js';
import type { Challenge } from '../authorization/challenge.js';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import type { ResolvedMcpOptions } from '../resolve-options.js';
import type { McpExchange } from '../server/exchange.js';
import { McpServing } from '../server/mcp-serving.js';
import { bodyAnswer, challengeAnswer, refusalAnswer } from './error-answers.js';
import { OpenQuestions } from './open-questions.js';
import { requestBody, type RequestBody } from './request-body.js';
import { RunningCalls } from './running-calls.js';
import { newSessionId, sessionTakesForms } from './session-id.js';
import { refusedSender } from './sender.js';
import { takeOver } from './take-over.js';
import { webRequest } from './web-request.js';
import { writeAnswer } from './write-answer.js';

const SESSION = 'mcp-session-id';

/** One endpoint: a palette, for clients of either protocol era. */
@Injectable()
export class McpEndpoint implements OnModuleInit, OnModuleDestroy {
  readonly #logger = new Logger('McpModule');
  readonly #exchanges = new WeakMap<Request, McpExchange>();
  readonly #running = new RunningCalls();
  readonly #questions = new OpenQuestions();
  #handler: McpHttpHandler | undefined;

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly registry: PaletteRegistry,
    private readonly dispatcher: OperationDispatcher,
    @Optional() @Inject(RequesterDecisions) private readonly requesters: RequesterDecisions | undefined,
  ) {}

  /** @throws PaletteBootError `palette_unknown`, `mcp_schema_header`, `mcp_options_invalid` */
  onModuleInit(): void {
    const palette = this.registry.palette(this.options.palette);
    const serving = new McpServing(this.options, palette, this.dispatcher, this.requesters, this.#logger);
    this.#handler = createMcpHandler(({ requestInfo }) => serving.open(this.#exchangeOf(requestInfo)), {
      onerror: (error) => this.#logger.debug(error.message),
    });
  }

  /** Ends streams that are open, which would keep the server from closing. */
  async onModuleDestroy(): Promise<void> {
    await this.#handler?.close();
  }

  /**
   * Answers a request; done when the answer is written.
   * @param request of Express or Fastify, and so `response`
   */
  async serve(request: object, response: object): Promise<void> {
    const raw = rawRequestOf(request) as IncomingMessage;
    const refused = refusedSender(raw, this.options);
    if (refused !== undefined) return writeAnswer(refusalAnswer(refused), takeOver(response));
    const body = await this.#bodyOf(request, raw);
    if (body !== undefined && body.kind !== 'json') {
      return writeAnswer(bodyAnswer(body.kind, this.options.maxBodyBytes), takeOver(response));
    }
    let lacking: Challenge | undefined;
    const answer = await this.#answer(request, response, body?.value, (challenge) => (lacking = challenge));
    await writeAnswer(answer, takeOver(response), () =>
      lacking === undefined ? undefined : challengeAnswer(lacking, body?.value, this.options.authorization),
    );
  }

  /** Undefined where the protocol's own code answers without one: other methods than POST, other types than JSON. */
  async #bodyOf(request: object, raw: IncomingMessage): Promise<RequestBody | undefined> {
    const hasMessage = raw.method === 'POST' && isJsonContentType(raw.headers['content-type'] ?? null);
    return hasMessage ? requestBody(request, raw, this.options.maxBodyBytes) : undefined;
  }

  async #answer(
    request: object,
    response: object,
    message: unknown,
    challenge: (challenge: Challenge) => void,
  ): Promise<Response> {
    const raw = rawRequestOf(request) as IncomingMessage;
    const session = raw.headers[SESSION];
    const caller = callerOf(request, response);
    const web = webRequest(raw);
    const ofSession = typeof session === 'string' ? this.#ofSession(session, caller) : {};
    this.#exchanges.set(web, { caller: () => caller, challenge, ...ofSession });
    if (typeof session === 'string') this.#hear(session, message, caller);
    const answer = await this.#handlerNow().fetch(web, message === undefined ? {} : { parsedBody: message });
    if (answer.ok && isInitializeRequest(message)) answer.headers.set(SESSION, newSessionId(message));
    return answer;
  }

  /** What a client of 2025 can do by other messages of its session: cancel a call, and answer a question. */
  #ofSession(session: string, caller: CallerContext): Pick<McpExchange, 'watch' | 'ask'> {
    const timeoutMs = this.options.elicitationTimeoutMs;
    return {
      watch: (id) => this.#running.begin(session, id),
      ...(sessionTakesForms(session) && {
        ask: (question) => this.#questions.ask(session, question, { caller, timeoutMs }),
      }),
    };
  }

  #hear(session: string, message: unknown, caller: CallerContext): void {
    this.#running.hear(session, message);
    this.#questions.hear(session, message, caller);
  }

  #handlerNow(): McpHttpHandler {
    if (this.#handler === undefined) throw new TypeError('The endpoint was called before the application initialised.');
    return this.#handler;
  }

  #exchangeOf(request: Request | undefined): McpExchange {
    const exchange = request && this.#exchanges.get(request);
    if (exchange === undefined) throw new TypeError('A message without a request cannot be answered here.');
    return exchange;
  }
}
