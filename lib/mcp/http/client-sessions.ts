import type { CallerContext } from '../../common/index.js';
import type { McpExchange } from '../server/exchange.js';
import { OpenQuestions } from './open-questions.js';
import { RunningCalls } from './running-calls.js';
import { sessionTakesForms } from './session-id.js';

/** What 2025-era clients do by other messages of their session: cancel a call, and answer a question. */
export class ClientSessions {
  readonly #running = new RunningCalls();
  readonly #questions = new OpenQuestions();

  /** @param elicitationTimeoutMs how long an answer may take */
  constructor(private readonly elicitationTimeoutMs: number) {}

  /** What a message of a session may lead to. @param caller who sent it */
  exchangeOf(session: string, caller: CallerContext): Pick<McpExchange, 'watch' | 'ask'> {
    const asked = { caller, timeoutMs: this.elicitationTimeoutMs };
    return {
      watch: (id) => this.#running.begin(session, id),
      ...(sessionTakesForms(session) && { ask: (question) => this.#questions.ask(session, question, asked) }),
    };
  }

  /** Does what the messages of a request are about. @param caller who sent it */
  hear(session: string, messages: unknown, caller: CallerContext): void {
    this.#running.hear(session, messages);
    this.#questions.hear(session, messages, caller);
  }

  /** Leaves off waiting for clients' users, which would keep the server from closing. */
  close(): void {
    this.#questions.close();
  }
}
