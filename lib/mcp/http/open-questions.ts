import { randomUUID } from 'node:crypto';
import { onAbort, systemClock, type CallerContext } from '../../common/index.js';
import { clientAction } from '../server/asking/client-action.js';
import type { ClientAnswer, ClientQuestion } from '../server/exchange.js';
import { messagesIn } from './messages-in.js';

interface OpenQuestion {
  readonly isFor: ClientQuestion['isFor'];
  /** Undefined: it is not waited for any longer. */
  readonly take: (answer: ClientAnswer | undefined) => void;
}

/**
 * Questions to the users of 2025-era clients that are open here. Such a client answers by another message of its session,
 * which has to reach the process that asked, and to come from the person who was asked.
 */
export class OpenQuestions {
  readonly #questions = new Map<string, OpenQuestion>();
  #isClosed = false;

  /** Never fails: what is not answered in time is `none`, and the client is told to put it away. */
  async ask(
    session: string,
    { params, send, isFor, signal }: ClientQuestion,
    { caller, timeoutMs }: { readonly caller: CallerContext; readonly timeoutMs: number },
  ): Promise<ClientAnswer> {
    const id = randomUUID();
    const key = keyOf(session, id);
    const endings: (() => void)[] = [];
    const answer = await new Promise<ClientAnswer | undefined>((resolve) => {
      const giveUp = (): void => resolve(undefined);
      this.#questions.set(key, { isFor, take: resolve });
      endings.push(systemClock.after(timeoutMs, giveUp), onAbort(signal, giveUp));
      if (signal.aborted || this.#isClosed) giveUp();
      else send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { ...params } }).catch(giveUp);
    });
    this.#questions.delete(key);
    for (const end of endings) end();
    if (answer !== undefined) return answer;
    await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }).catch(() => undefined);
    return { action: 'none', caller };
  }

  /** Waits for no answer any longer, also to what is asked from now on. */
  close(): void {
    this.#isClosed = true;
    for (const { take } of this.#questions.values()) take(undefined);
  }

  /** Takes the answers among the messages of a request. @param caller who sent it */
  hear(session: string, body: unknown, caller: CallerContext): void {
    for (const { method, id, result } of messagesIn(body)) {
      if (method !== undefined || typeof id !== 'string') continue;
      const question = this.#questions.get(keyOf(session, id));
      if (question !== undefined) void takeFrom(question, { action: clientAction(result), caller });
    }
  }
}

async function takeFrom(question: OpenQuestion, answer: ClientAnswer): Promise<void> {
  const isTheirs = await question.isFor(answer.caller).catch(() => false);
  if (isTheirs) question.take(answer);
}

function keyOf(session: string, id: string): string {
  return JSON.stringify([session, id]);
}
