import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type BeforeApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { RequesterDecisions } from '../../approvals/index.js';
import { rawRequestOf } from '../../common/index.js';
import {
  DISPATCH_OPTIONS,
  onHangUp,
  OperationDispatcher,
  senderOf,
  type ResolvedDispatchOptions,
} from '../../dispatch/index.js';
import { PaletteRegistry } from '../../palette/index.js';
import type { Challenge } from '../authorization/challenge.js';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import type { ResolvedMcpOptions } from '../resolve-options.js';
import type { McpExchange } from '../server/exchange.js';
import { McpServing } from '../server/mcp-serving.js';
import { ClientSessions } from './client-sessions.js';
import { bodyAnswer, challengeAnswer, refusalAnswer } from './error-answers.js';
import { McpOverHttp, type HttpExchange } from './mcp-over-http.js';
import { requestBody, type RequestBody } from './request-body.js';
import { RequestCalls } from './request-calls.js';
import { sameCaller } from './same-caller.js';
import { refusedSender } from './sender.js';
import { SESSION } from './session-id.js';
import { takeOver } from './take-over.js';
import { takingTurns } from './turns.js';
import { writeAnswer } from './write-answer.js';

/** One endpoint: a palette, for clients of either protocol era. */
@Injectable()
export class McpEndpoint implements OnModuleInit, BeforeApplicationShutdown {
  readonly #logger = new Logger('McpModule');
  readonly #sessions: ClientSessions;
  #protocol: McpOverHttp | undefined;
  #concurrency = 1;

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly registry: PaletteRegistry,
    private readonly dispatcher: OperationDispatcher,
    @Optional() @Inject(RequesterDecisions) private readonly requesters: RequesterDecisions | undefined,
    private readonly moduleRef: ModuleRef,
  ) {
    this.#sessions = new ClientSessions(options.elicitationTimeoutMs, sameCaller(requesters));
  }

  /** @throws PaletteBootError `palette_unknown`, `mcp_schema_header`, `mcp_options_invalid` */
  onModuleInit(): void {
    const palette = this.registry.palette(this.options.palette);
    const serving = new McpServing(this.options, palette, this.dispatcher, this.requesters, this.#logger);
    this.#protocol = new McpOverHttp(serving, this.#logger);
    this.#concurrency = this.moduleRef.get<ResolvedDispatchOptions>(DISPATCH_OPTIONS, { strict: false }).concurrency;
  }

  /**
   * What is answered is answered to the end, as any request to the application: its server waits for that, and takes requests
   * until it closes. Only a person who is asked could keep it waiting for longer than a call may take.
   */
  beforeApplicationShutdown(): void {
    this.#sessions.close();
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
    if (body?.kind === 'gone') return void takeOver(response).destroy();
    if (body !== undefined && body.kind !== 'json') {
      return writeAnswer(bodyAnswer(body.kind, this.options.maxBodyBytes), takeOver(response));
    }
    const message = body?.value;
    let lacking: Challenge | undefined;
    const exchange = this.#exchange(request, response, message, (challenge) => (lacking = challenge));
    const replacement = (): Response | undefined =>
      lacking === undefined ? undefined : challengeAnswer(lacking, message, this.options.authorization);
    const plain = await this.#protocolNow().plainAnswer(raw, message, exchange);
    if (plain !== undefined) return writeAnswer(plain, takeOver(response), replacement);
    const { watched, end } = this.#watched(raw, message, exchange);
    try {
      const answer = await this.#protocolNow().answer(raw, message, watched);
      await writeAnswer(answer, takeOver(response), replacement);
    } finally {
      end();
    }
  }

  /** Undefined where the protocol's own code answers without one: other methods than POST, other types than JSON. */
  async #bodyOf(request: object, raw: IncomingMessage): Promise<RequestBody | undefined> {
    const hasMessage = raw.method === 'POST' && isJsonContentType(raw.headers['content-type'] ?? null);
    return hasMessage ? requestBody(request, raw, this.options.maxBodyBytes) : undefined;
  }

  #exchange(
    request: object,
    response: object,
    message: unknown,
    challenge: (challenge: Challenge) => void,
  ): HttpExchange {
    const raw = rawRequestOf(request) as IncomingMessage;
    const caller = senderOf(request);
    const exchange: HttpExchange = {
      sender: caller,
      caller: () => caller,
      onHangUp: (callback) => onHangUp(raw, rawRequestOf(response) as ServerResponse, callback),
      // What concerns one message of several has no place in the status of all, nor is the key of all its own.
      ...(!Array.isArray(message) && { challenge, idempotencyKey: caller.idempotencyKey }),
    };
    const session = raw.headers[SESSION];
    if (typeof session !== 'string') return exchange;
    this.#sessions.hear(session, message, caller);
    return { ...exchange, ...this.#sessions.exchangeOf(session, caller) };
  }

  /** The same, with an end for each call where no transport ends with the connection, and a turn where there are several. */
  #watched(raw: IncomingMessage, message: unknown, exchange: HttpExchange) {
    const calls = new RequestCalls(message);
    exchange.onHangUp(() => calls.abortAll());
    const session = raw.headers[SESSION];
    const end = typeof session === 'string' ? this.#sessions.begin(session, calls, exchange.sender) : undefined;
    const watched: McpExchange = {
      ...exchange,
      signalOf: (id) => calls.signalOf(id),
      ...(Array.isArray(message) && { turn: takingTurns(this.#concurrency) }),
    };
    return { watched, end: () => end?.() };
  }

  #protocolNow(): McpOverHttp {
    if (this.#protocol === undefined)
      throw new TypeError('The endpoint was called before the application initialised.');
    return this.#protocol;
  }
}
