import { refuseWrite } from '../../approvals/ledger/transitions/index.js';
import { ConversationError } from '../../conversations/index.js';
import type { LuaScript } from './lua/lua-script.js';
import type { RedisClient } from './redis-client.js';

/** What a script replies with: what came of it, and what belongs to that. */
export type ScriptReply = readonly [kind: string, ...values: unknown[]];

/** Runs the store's scripts, under whatever its keys begin with. */
export class ScriptRunner {
  /** @param channel what the channels of journals begin with; undefined where nobody is to be told */
  constructor(
    private readonly client: RedisClient,
    private readonly base: string,
    private readonly channel: string | undefined,
  ) {}

  /** @throws ConversationError `conversation_unknown`, and `journal_write_invalid` where the script refused */
  async run(script: LuaScript, input: object): Promise<ScriptReply> {
    const values = [this.base, JSON.stringify(input), this.channel ?? ''] as const;
    const reply = (await this.send(script, values)) as ScriptReply;
    const [kind, what] = reply;
    if (kind === 'conversation_unknown') throw new ConversationError('conversation_unknown');
    return kind === 'refused' ? refuseWrite(String(what)) : reply;
  }

  private async send({ sha, source }: LuaScript, values: readonly string[]): Promise<unknown> {
    try {
      return await this.client.evalsha(sha, 1, ...values);
    } catch (error) {
      // A server that was started again, took over, or was told to forget scripts.
      if (!isNotKnown(error)) throw error;
      return this.client.eval(source, 1, ...values);
    }
  }
}

function isNotKnown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
