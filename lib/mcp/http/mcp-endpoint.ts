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
import { RequesterDecisions } from '../../approvals/index.js';
import { rawRequestOf } from '../../common/index.js';
import { onHangUp, OperationDispatcher, senderOf } from '../../dispatch/index.js';
import { PaletteRegistry } from '../../palette/index.js';
import type { Challenge } from '../authorization/challenge.js';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import type { ResolvedMcpOptions } from '../resolve-options.js';
import { McpServing } from '../server/mcp-serving.js';
import { ClientSessions } from './client-sessions.js';
import { bodyAnswer, challengeAnswer, refusalAnswer } from './error-answers.js';
import { McpOverHttp, type HttpExchange } from './mcp-over-http.js';
import { requestBody, type RequestBody } from './request-body.js';
import { refusedSender } from './sender.js';
import { SESSION } from './session-id.js';
import { takeOver } from './take-over.js';
import { writeAnswer } from './write-answer.js';

/** One endpoint: a palette, for clients of either protocol era. */
@Injectable()
export class McpEndpoint implements OnModuleInit, BeforeApplicationShutdown {
  readonly #logger = new Logger('McpModule');
  readonly #sessions: ClientSessions;
  #protocol: McpOverHttp | undefined;

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly registry: PaletteRegistry,
    private readonly dispatcher: OperationDispatcher,
    @Optional() @Inject(RequesterDecisions) private readonly requesters: RequesterDecisions | undefined,
  ) {
    this.#sessions = new ClientSessions(options.elicitationTimeoutMs);
  }

  /** @throws PaletteBootError `palette_unknown`, `mcp_schema_header`, `mcp_options_invalid` */
  onModuleInit(): void {
    const palette = this.registry.palette(this.options.palette);
    const serving = new McpServing(this.options, palette, this.dispatcher, this.requesters, this.#logger);
    this.#protocol = new McpOverHttp(serving, this.#logger);
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
    if (body !== undefined && body.kind !== 'json') {
      return writeAnswer(bodyAnswer(body.kind, this.options.maxBodyBytes), takeOver(response));
    }
    let lacking: Challenge | undefined;
    const exchange = this.#exchange(request, response, body?.value, (challenge) => (lacking = challenge));
    const answer = await this.#protocolNow().answer(raw, body?.value, exchange);
    await writeAnswer(answer, takeOver(response), () =>
      lacking === undefined ? undefined : challengeAnswer(lacking, body?.value, this.options.authorization),
    );
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
      caller: () => caller,
      challenge,
      onHangUp: (callback) => onHangUp(raw, rawRequestOf(response) as ServerResponse, callback),
    };
    const session = raw.headers[SESSION];
    if (typeof session !== 'string') return exchange;
    this.#sessions.hear(session, message, caller);
    return { ...exchange, ...this.#sessions.exchangeOf(session, caller) };
  }

  #protocolNow(): McpOverHttp {
    if (this.#protocol === undefined)
      throw new TypeError('The endpoint was called before the application initialised.');
    return this.#protocol;
  }
}
