import type { CallerContext } from '../../common/index.js';
import type { McpExchange } from '../server/exchange.js';
import { OpenQuestions } from './open-questions.js';
import type { RequestCalls } from './request-calls.js';
import { RunningCalls } from './running-calls.js';
import type { IsSameCaller } from './same-caller.js';
import { sessionTakesForms } from './session-id.js';

/** What 2025-era clients do by other messages of their session: cancel a call, and answer a question. */
export class ClientSessions {
  readonly #running: RunningCalls;
  readonly #questions = new OpenQuestions();

  /** @param elicitationTimeoutMs how long an answer may take */
  constructor(
    private readonly elicitationTimeoutMs: number,
    isSameCaller: IsSameCaller,
  ) {
    this.#running = new RunningCalls(isSameCaller);
  }

  /** What a message of a session may lead to. @param caller who sent it */
  exchangeOf(session: string, caller: CallerContext): Pick<McpExchange, 'ask'> {
    const asked = { caller, timeoutMs: this.elicitationTimeoutMs };
    return sessionTakesForms(session) ? { ask: (question) => this.#questions.ask(session, question, asked) } : {};
  }

  /** Lets the session cancel the calls of a request. @returns what is called when it is answered */
  begin(session: string, calls: RequestCalls, caller: CallerContext): () => void {
    return this.#running.begin(session, calls, caller);
  }

  /** Does what the messages of a request are about. @param caller who sent it */
  hear(session: string, body: unknown, caller: CallerContext): void {
    this.#running.hear(session, body, caller);
    this.#questions.hear(session, body, caller);
  }

  /** Leaves off waiting for clients' users, which would keep the server from closing. */
  close(): void {
    this.#questions.close();
  }
}
